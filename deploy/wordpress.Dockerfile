# The image of WordPress sites on Kubernetes: PHP-FPM, WordPress itself, and the agent that speaks to the platform.
# Its tag is the WordPress version:  docker build -f deploy/wordpress.Dockerfile -t REGISTRY/nido-wordpress:6.8.3 .
ARG PLATFORM=nido
ARG BASE=debian:trixie-slim

FROM ${PLATFORM} AS build
USER root
RUN node scripts/images/fillWordPress.ts /out

FROM ${BASE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates mariadb-client nodejs \
    php-fpm php-curl php-gd php-imagick php-intl php-mbstring php-mysql php-xml php-zip \
 && rm -rf /var/lib/apt/lists/* /var/log/* /var/cache/* \
 && ln -s /usr/sbin/php-fpm[0-9]* /usr/local/bin/php-fpm
# Larger images are mapped from files, so that one does not use up the memory of a site.
ENV MAGICK_MEMORY_LIMIT=64MiB MAGICK_MAP_LIMIT=512MiB MAGICK_THREAD_LIMIT=1
COPY --from=build /out/wordpress /opt/wordpress
COPY --from=build /out/nido /opt/nido
USER 10001:10001
