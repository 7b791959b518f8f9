#!/bin/sh
# Generates clients of a running server in TypeScript, Python and Go.
set -eu
origin=${1:-http://127.0.0.1:4010}
mkdir -p generated

# TypeScript: the types of the service, of the control API and of a dialect.
npx openapi-typescript "$origin/_sim/service.openapi.json" -o generated/service.d.ts
npx openapi-typescript "$origin/_sim/openapi.json" -o generated/control.d.ts
npx openapi-typescript "$origin/_sim/dialects/replicate/openapi.json" -o generated/replicate.d.ts

# Python and Go: this version of OpenAPI Generator is the last one on npm that contains its program. It reads OpenAPI 3.0.
curl -fsS "$origin/_sim/service.openapi.json" -o generated/service-3.1.json
npx openapi-down-convert -i generated/service-3.1.json -o generated/service.json
npx openapi-generator generate -g python -i generated/service.json -o generated/python \
  --additional-properties packageName=service >generated/python.log
npx openapi-generator generate -g go-experimental -i generated/service.json -o generated/go/src/service \
  --additional-properties packageName=service >generated/go.log
