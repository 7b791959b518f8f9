#!/usr/bin/env bash
# Writes the findings of a running tasksim to the job summary and as annotations.
set -euo pipefail
PATH=$PWD/node_modules/.bin:$PATH
tasksim findings --server "$URL" --fail-on never --format markdown >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}"
tasksim findings --server "$URL" --fail-on "${FAIL_ON:-error}" --format github
