#!/bin/sh
# Generates the clients, and generates an image with each. `tasksim exec` sets ORIGIN and TASKSIM_API_KEY.
set -eu
rm -rf generated
./generate.sh "$ORIGIN"

node dialects.js "$ORIGIN" generated/dialects
tsc --strict --types node --target es2022 --module nodenext --outDir generated client.ts generated/dialects/*.d.ts
node generated/client.js | grep 'TypeScript: succeeded true'
python3 client.py | grep 'Python: succeeded True'
GO111MODULE=off GOPATH="$PWD/generated/go:/usr/share/gocode" go run client.go | grep 'Go: succeeded true'
