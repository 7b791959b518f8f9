# Creates, polls and downloads with curl or wget, as a script does that knows nothing of tasksim.
key="Authorization: Bearer $REPLICATE_API_TOKEN"
predictions=https://api.replicate.com/v1/predictions
body='{"version": "acme/image-1", "input": {"prompt": "a fox"}}'

with_curl() { curl -sSf "$1" -H "$key" ${2:+-H 'Content-Type: application/json' -d "$2"}; }
with_wget() { wget -q -O - --header "$key" ${2:+--header 'Content-Type: application/json' --post-data "$2"} "$1"; }

for name in "$@"; do
  made=$("with_$name" "$predictions" "$body")
  while ! printf %s "$made" | grep -q '"status":"succeeded"'; do
    url=$(printf %s "$made" | sed -n 's/.*"get":"\([^"]*\)".*/\1/p')
    [ -n "$url" ] || break
    made=$("with_$name" "$url")
  done
  url=$(printf %s "$made" | sed -n 's/.*"output":\["\([^"]*\)".*/\1/p')
  if [ -n "$url" ] && "with_$name" "$url" | grep -ac PNG >/dev/null; then outcome=ok; else outcome='no picture'; fi
  printf '["%s", "%s"]\n' "$name" "$outcome"
done
