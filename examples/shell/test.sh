#!/bin/sh
# Run this under `tasksim exec`, which provides the service and reports the mistakes of the script.
set -eu
cd "$(dirname "$0")"
export API_BASE_URL="$TASKSIM_URL" API_KEY="$TASKSIM_API_KEY"
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT

expect() {
  title=$1 && shift
  if "$@"; then echo "ok   $title"; else echo "FAIL $title" && exit 1; fi
}

fails() {
  ! "$@" 2>"$folder/stderr"
}

expect 'it generates and downloads an image on a bad day' ./generate.sh 'a "quoted" lighthouse' "$folder/image.png"
expect 'the file is a PNG' test "$(dd if="$folder/image.png" bs=1 skip=1 count=3 2>/dev/null)" = PNG
expect 'no partial file is left' test ! -e "$folder/image.png.part"

expect 'a failed task is an error' fails ./generate.sh 'a storm [[sim outcome=failed error=content_policy]]' "$folder/no.png"
expect 'the error has a reason' test -s "$folder/stderr"
expect 'no file is written' test ! -e "$folder/no.png"

expect 'a task that does not end times out' fails env TASK_TIMEOUT=4 ./generate.sh '[[sim outcome=stuck]]' "$folder/no.png"
expect 'the task is canceled' grep -q canceled "$folder/stderr"

expect 'a wrong address is an error' fails env API_BASE_URL="$TASKSIM_URL/nowhere" ./generate.sh waves "$folder/no.png"
