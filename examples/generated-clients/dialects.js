// Writes the types of every dialect, in one process: node dialects.js ORIGIN FOLDER
import { mkdirSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'

const [, , origin, folder] = process.argv
mkdirSync(folder, { recursive: true })
const { data } = await (await fetch(`${origin}/_sim/dialects`)).json()
for (const { name } of data) {
  const types = await openapiTS(new URL(`/_sim/dialects/${name}/openapi.json`, origin))
  writeFileSync(`${folder}/${name}.d.ts`, astToString(types))
}
