/**
 * Writes the schemas of scenario and dialect files, with their tests, into a clone of SchemaStore, and prints the entries
 * of its catalog: `npm run schemastore -- ../schemastore`. Its own `node cli.js check` then checks them.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { dialectJsonSchema } from '../src/cli/commands/schema.js'
import { scenarioJsonSchema } from '../src/scenario/schema/json-schema.js'

const root = fileURLToPath(new URL('../', import.meta.url))
const [clone] = process.argv.slice(2)
if (clone === undefined) throw new Error('No folder given. Run: npm run schemastore -- ../schemastore')

prepare('tasksim-scenario', scenarioJsonSchema(), 'scenarios', [
  ['unknown-kind', { kinds: { vidoe: { delay: '3s' } } }],
  ['delay-without-unit', { kinds: { video: { delay: 3 } } }],
])
prepare('tasksim-dialect', dialectJsonSchema(), 'src/dialects/files', [
  ['without-operations', { name: 'acme', title: 'Acme' }],
])
process.stdout.write(readFileSync(join(root, 'scripts/schemastore/catalog.json')))

/**
 * Writes a schema, the files that it must accept, and those that it must reject.
 * @param folder a folder with valid files
 */
function prepare(
  name: string,
  schema: object,
  folder: string,
  invalid: readonly (readonly [name: string, value: object])[],
): void {
  write(`src/schemas/json/${name}.json`, schema)
  for (const file of readdirSync(join(root, folder)).filter((path) => path.endsWith('.yaml'))) {
    const text = readFileSync(join(root, folder, file), 'utf8')
    // JSON, because not every YAML parser merges the keys of anchors.
    write(`src/test/${name}/${basename(file, '.yaml')}.json`, parse(text, { merge: true }))
  }
  for (const [title, value] of invalid) write(`src/negative_test/${name}/${title}.json`, value)
}

function write(path: string, value: object): void {
  const file = join(clone ?? '', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
