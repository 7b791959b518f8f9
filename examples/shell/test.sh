#!/bin/sh
# Run by `tasksim exec`, which says where the service is, and what the script did wrong.
set -eu
cd "$(dirname "$0")"
export API_BASE_URL="$TASKSIM_URL" API_KEY="$TASKSIM_API_KEY"
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT

expect() {
  title=$1 && shift
  if "$@"; then echo "ok   $title"; else echo "FAIL $title" && exit 1; fi
}

fails() {
  ! "$@" 2>"$folder/said"
}

expect 'a picture is made and kept, on a bad day' ./generate.sh 'a "quoted" lighthouse' "$folder/picture.png"
expect 'the file is a PNG' test "$(dd if="$folder/picture.png" bs=1 skip=1 count=3 2>/dev/null)" = PNG
expect 'no part of it is left' test ! -e "$folder/picture.png.part"

expect 'a failed task is an error' fails ./generate.sh 'a storm [[sim outcome=failed error=content_policy]]' "$folder/no.png"
expect 'which says why' test -s "$folder/said"
expect 'and makes no file' test ! -e "$folder/no.png"

expect 'a task that does not end is given up' fails env LONGEST_WAIT=4 ./generate.sh '[[sim outcome=stuck]]' "$folder/no.png"
expect 'and canceled' grep -q canceled "$folder/said"

expect 'a wrong address is an error' fails env API_BASE_URL="$TASKSIM_URL/nowhere" ./generate.sh waves "$folder/no.png"
