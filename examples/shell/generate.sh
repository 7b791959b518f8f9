#!/bin/sh
# Generates an image and downloads it with curl and jq: generate.sh PROMPT FILE
# Set API_BASE_URL and API_KEY for a different server or key.
set -eu
prompt=$1 file=$2
api=${API_BASE_URL:-http://127.0.0.1:4010/api/v1}
task_timeout=${TASK_TIMEOUT:-600} poll_interval=2

# curl retries polls and downloads after 408, 429, 5xx and lost connections. It waits as long as Retry-After requests, or
# doubles the wait each time. A create request without a response may have created a task, so the script does not repeat
# it. Only a 429 guarantees that no task exists.
retry_options='--retry 6 --retry-max-time 120 --retry-connrefused'
authorization="Authorization: Bearer ${API_KEY:-sk_live_local}"

request() {
  # Pass the key through stdin, so that it does not appear in the process list.
  printf '%s\n' "$authorization" | curl --silent --show-error --max-time 30 --header @- "$@"
}

request_body() {
  jq -n --arg prompt "$prompt" '{model: "acme/image-1", input: {prompt: $prompt}}'
}

fail() {
  echo "generate.sh: $1" >&2
  exit 1
}

headers=$(mktemp) && trap 'rm -f "$headers" "$file.part"' EXIT
tries=0
until task=$(request --fail-with-body --json "$(request_body)" --dump-header "$headers" "$api/tasks"); do
  tries=$((tries + 1))
  grep -q '^HTTP/[0-9.]* 429' "$headers" && [ "$tries" -lt 6 ] || fail "the create request failed: $task"
  sleep "$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$headers" | grep . || echo $((1 << tries)))"
done
id=$(printf '%s' "$task" | jq -r .id)

waited=0
while :; do
  status=0
  # shellcheck disable=SC2086 # word splitting is intended
  task=$(request --fail $retry_options "$api/tasks/$id") || status=$?
  # Keep polling after a lost connection. Stop after an HTTP error (22) that curl does not retry.
  [ "$status" -ne 22 ] || fail "failed to poll $id"
  [ "$status" -eq 0 ] || task='{}'
  case $(printf '%s' "$task" | jq -r .status) in
    succeeded) break ;;
    failed | canceled) fail "$(printf '%s' "$task" | jq -r '.error.message // .status')" ;;
  esac
  if [ "$waited" -ge "$task_timeout" ]; then
    request --fail --request POST "$api/tasks/$id/cancel" >/dev/null
    fail "$id did not end within $task_timeout seconds and was canceled"
  fi
  sleep "$poll_interval"
  waited=$((waited + poll_interval))
done

# Download immediately, while the URL is valid. Never send the API key to the file host.
url=$(printf '%s' "$task" | jq -r '.output.images[0]')
# shellcheck disable=SC2086
curl --silent --show-error --fail --max-time 300 $retry_options --output "$file.part" "$url"
mv "$file.part" "$file"
echo "$id $file"
