#!/usr/bin/env bash
# Publishes with the tool from the server, and writes the outputs of the action.
set -euo pipefail

tool="${RUNNER_TEMP:-/tmp}/nido-tool"
npm install --no-audit --no-fund --silent --prefix "$tool" "${NIDO_SERVER%/}/cli/nido.tgz" >&2

options=(--json)
[ -n "${PROJECT:-}" ] && options+=("--project=$PROJECT")
[ -n "${FOLDER:-}" ] && options+=("--dir=$FOLDER")
[ -n "${BRANCH:-}" ] && options+=("--branch=$BRANCH")
[ -n "${MESSAGE:-}" ] && options+=("--message=$MESSAGE")
[ "${STRICT:-}" = true ] && options+=(--strict)
result=$("$tool/node_modules/.bin/nido" publish "${options[@]}")

RESULT="$result" node -e '
  const { url, deploy_url = "", comment } = JSON.parse(process.env.RESULT);
  const end = "end-" + require("node:crypto").randomUUID();
  process.stdout.write(`url=${url}\ndeploy-url=${deploy_url}\ncomment<<${end}\n${comment}\n${end}\n`);
' >> "$GITHUB_OUTPUT"
RESULT="$result" node -p 'JSON.parse(process.env.RESULT).comment' >> "$GITHUB_STEP_SUMMARY"
