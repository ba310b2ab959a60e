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

"$tool/node_modules/.bin/nido" publish "${options[@]}" > "$tool/result.json"

# From a file: the lists of a large site fit neither into an argument nor into a variable.
node -e '
  const { appendFileSync, readFileSync } = require("node:fs");
  const { url, deploy_url = "", comment } = JSON.parse(readFileSync(0, "utf8"));
  const end = "end-" + require("node:crypto").randomUUID();
  const outputs = `url=${url}\ndeploy-url=${deploy_url}\ncomment<<${end}\n${comment}\n${end}\n`;
  appendFileSync(process.env.GITHUB_OUTPUT, outputs);
  appendFileSync(process.env.GITHUB_STEP_SUMMARY, `${comment}\n`);
' < "$tool/result.json"
