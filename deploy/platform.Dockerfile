# The image of Nido itself, for all roles:  docker build -f deploy/platform.Dockerfile -t nido .
# To try it:  docker run --rm --network host nido
ARG BASE=node:24-trixie-slim

FROM ${BASE} AS build
WORKDIR /app
COPY . .
RUN npm run build && npm prune --omit=dev && rm -rf .tools test-results e2e bench

FROM ${BASE}
RUN useradd --system --uid 10000 --user-group --home-dir /data nido && install -d -o nido -g nido /data
COPY --from=build /app /app
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
USER 10000:10000
EXPOSE 3000
VOLUME /data
CMD ["node", "scripts/serve.ts"]
