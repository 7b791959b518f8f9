#!/bin/sh
# Makes a picture and keeps it, with curl and jq: generate.sh PROMPT FILE
# API_BASE_URL and API_KEY say where, and as whom.
set -eu
prompt=$1 file=$2
api=${API_BASE_URL:-http://127.0.0.1:4010/api/v1}
longest_wait=${LONGEST_WAIT:-600} between_polls=2

# Polls and downloads are tried again after 408, 429, 5xx and lost connections: curl waits as long as Retry-After says,
# or twice as long each time. An order that ends without an answer may have been carried out, so it is sent once, and
# whoever wants to repeat it looks in the list first; only 429 says for certain that it was not.
again='--retry 6 --retry-max-time 120 --retry-connrefused'
authorization="Authorization: Bearer ${API_KEY:-sk_live_local}"

ask() {
  # The key goes in by a file, and so is seen by nobody who lists the processes of the machine.
  printf '%s\n' "$authorization" | curl --silent --show-error --max-time 30 --header @- "$@"
}

order() {
  jq -n --arg prompt "$prompt" '{model: "acme/image-1", input: {prompt: $prompt}}'
}

refused() {
  echo "generate.sh: $1" >&2
  exit 1
}

headers=$(mktemp) && trap 'rm -f "$headers" "$file.part"' EXIT
tries=0
until task=$(ask --fail-with-body --json "$(order)" --dump-header "$headers" "$api/tasks"); do
  tries=$((tries + 1))
  grep -q '^HTTP/[0-9.]* 429' "$headers" && [ "$tries" -lt 6 ] || refused "the order was not taken: $task"
  sleep "$(sed -n 's/^[Rr]etry-[Aa]fter: *\([0-9]*\).*/\1/p' "$headers" | grep . || echo $((1 << tries)))"
done
id=$(printf '%s' "$task" | jq -r .id)

waited=0
while :; do
  status=0
  # shellcheck disable=SC2086 # several words on purpose
  task=$(ask --fail $again "$api/tasks/$id") || status=$?
  # A lost connection is no reason to give up the task; a refusal (22) that curl does not try again is.
  [ "$status" -ne 22 ] || refused "$id cannot be asked for"
  [ "$status" -eq 0 ] || task='{}'
  case $(printf '%s' "$task" | jq -r .status) in
    succeeded) break ;;
    failed | canceled) refused "$(printf '%s' "$task" | jq -r '.error.message // .status')" ;;
  esac
  if [ "$waited" -ge "$longest_wait" ]; then
    ask --fail --request POST "$api/tasks/$id/cancel" >/dev/null
    refused "$id has not ended within $longest_wait seconds, and was canceled"
  fi
  sleep "$between_polls"
  waited=$((waited + between_polls))
done

# At once, while the URL is valid, and without the key: the file host is somebody else's.
url=$(printf '%s' "$task" | jq -r '.output.images[0]')
# shellcheck disable=SC2086
curl --silent --show-error --fail --max-time 300 $again --output "$file.part" "$url"
mv "$file.part" "$file"
echo "$id $file"
