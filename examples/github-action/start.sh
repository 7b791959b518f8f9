#!/usr/bin/env bash
# Starts the project's tasksim, waits until it is ready, and prints its URL.
set -euo pipefail
log=${RUNNER_TEMP:-/tmp}/tasksim.log
: >"$log"
read -ra arguments <<<"${ARGUMENTS:-}"
# Run tasksim directly, because npx does not forward signals.
PATH=$PWD/node_modules/.bin:$PATH
nohup tasksim "${SCENARIO:-default}" --port "${PORT:-4010}" "${arguments[@]}" >"$log" 2>&1 &
pid=$!

for _ in $(seq 300); do
  url=$(grep -om1 'http://[^" ]*/api/v1' "$log" || true)
  [ -z "$url" ] || break
  kill -0 "$pid" 2>/dev/null || break
  sleep 0.1
done
if [ -z "$url" ]; then
  echo "tasksim did not start:" >&2
  cat "$log" >&2
  exit 1
fi
outputs=$(printf 'url=%s\nlog=%s\npid=%s' "$url" "$log" "$pid")
echo "$outputs"
[ -z "${GITHUB_OUTPUT:-}" ] || echo "$outputs" >>"$GITHUB_OUTPUT"
