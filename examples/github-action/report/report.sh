#!/usr/bin/env bash
# Writes the findings of a running tasksim to the job summary and as annotations.
set -euo pipefail
PATH=$PWD/node_modules/.bin:$PATH
findings=(tasksim findings --server "$URL" --fail-on "${FAIL_ON:-warning}")
# The second call fails as the first one does, after it has written the annotations.
"${findings[@]}" --format markdown >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}" || true
"${findings[@]}" --format github
