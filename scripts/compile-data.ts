/**
 * Compiles data into modules: the shipped scenarios and the model catalog after validation, the types of a scenario, the
 * media fixtures and the outlines of a font. So they are available in browsers, and the server starts without parsing YAML.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { dialectJsonSchema } from '../src/cli/commands/schema.js'
import { CONTROL_COMPONENTS, INPUT_COMPONENTS } from '../src/control/schema/components.js'
import { dialectSchema } from '../src/dialects/language/dialect-schema.js'
import { parseDialect } from '../src/dialects/language/parse-dialect.js'
import { converter } from '../src/openapi/json-schema.js'
import { parseLayer } from '../src/scenario/parse-layer.js'
import type { ScenarioLayer } from '../src/scenario/scenario.js'
import { scenarioJsonSchema } from '../src/scenario/schema/json-schema.js'
import { SCHEMA_DEFAULTS } from '../src/scenario/schema/scenario.js'
import { compileClips } from './compile-clips.js'
import { compileGlyphs } from './compile-glyphs.js'
import { compileShapes, compileTypes, outputSchemaOf } from './compile-types.js'

const root = new URL('../', import.meta.url)

const DIALECT = {
  root: [
    'DialectTable',
    'The description of a wire format: a checked dialect file. Durations are milliseconds.',
  ],
  areAliases: true,
  known: { Duration: 'number', JsonObject: 'JsonObject' },
  imports: { JsonValue: '../../engine/json.js', JsonObject: '../../engine/json.js' },
} as const

const SCENARIO_INPUT = {
  root: ['ScenarioInput', 'A scenario, as it is written.'],
  noun: 'a scenario',
  suffix: 'Input',
  known: { Duration: 'DurationText' },
  imports: { JsonValue: '../engine/json.js', DurationText: '../engine/clock/durations.js' },
} as const

function compileScenarios(): string {
  const files = readdirSync(new URL('scenarios/', root)).filter((file) => file.endsWith('.yaml'))
  const shipped = Object.fromEntries(
    files
      .sort()
      .map((file) => [basename(file, '.yaml'), withoutExpectations(readLayer(`scenarios/${file}`))]),
  )
  return [
    "import type { ScenarioLayer } from './scenario.js'",
    '/** The settings of models below every scenario. */',
    `export const CATALOG: NonNullable<ScenarioLayer['models']> = ${JSON.stringify(readLayer('fixtures/catalog.yaml').models)}`,
    '/** The shipped scenarios by name. */',
    `export const SHIPPED: Readonly<Record<string, ScenarioLayer>> = ${JSON.stringify(shipped)}`,
  ].join('\n')
}

/** The files of the shipped scenarios, with their comments. */
function compileTexts(): string {
  const files = readdirSync(new URL('scenarios/', root)).filter((file) => file.endsWith('.yaml'))
  const texts = Object.fromEntries(
    files
      .sort()
      .map((file) => [basename(file, '.yaml'), readFileSync(new URL(`scenarios/${file}`, root), 'utf8')]),
  )
  return [
    '/** The files of the shipped scenarios by name. */',
    `export const TEXTS: Readonly<Record<string, string>> = ${JSON.stringify(texts)}`,
  ].join('\n')
}

/** Compiles the files of dialects: a module for each, and a list of their names. */
function compileDialects(): readonly { name: string; text: string }[] {
  const files = readdirSync(new URL('src/dialects/files/', root)).filter((file) => file.endsWith('.yaml'))
  const tables = files
    .sort()
    .map((file) => parseDialect(readFileSync(new URL(`src/dialects/files/${file}`, root), 'utf8'), file))
  const modules = tables.map((table) => ({
    name: table.name,
    text: [
      "import type { DialectTable } from '../table/dialect-table.generated.js'",
      `/** ${table.title}. */`,
      `export const TABLE: DialectTable = ${JSON.stringify(table)}`,
    ].join('\n'),
  }))
  const others = tables.filter(({ name }) => name !== 'tasks')
  const entries = others.map(
    ({ name, title }) =>
      `{ name: ${JSON.stringify(name)}, title: ${JSON.stringify(title)}, load: () => import('./${name}.generated.js') },`,
  )
  const index = [
    '/** The dialects of other services, each loaded on first use. */',
    'export const FILES = [',
    ...entries,
    '] as const',
  ]
  // Apart from the index, which every page loads.
  const facts = Object.fromEntries(others.map(({ name, checked, ended }) => [name, { checked, ended }]))
  const factsText = [
    "import type { DialectTable } from '../table/dialect-table.generated.js'",
    '/** When the dialects of other services were checked, and what has ended, by their names. */',
    `export const FACTS: Readonly<Record<string, Pick<DialectTable, 'checked' | 'ended'>>> = ${JSON.stringify(facts)}`,
  ]
  return [
    ...modules,
    { name: 'index', text: index.join('\n') },
    { name: 'facts', text: factsText.join('\n') },
  ]
}

/** The defaults of a scenario without its schema, whose library would be loaded with every start. */
function compileDefaults(): string {
  return [
    "import type { SCHEMA_DEFAULTS } from './schema/scenario.js'",
    '',
    `export const DEFAULTS: typeof SCHEMA_DEFAULTS = ${JSON.stringify(SCHEMA_DEFAULTS)}`,
  ].join('\n')
}

/** Removes the expectations. `tasksim validate` reads them from the text. */
function withoutExpectations({ expect: _, ...layer }: ScenarioLayer): ScenarioLayer {
  return layer
}

function readLayer(path: string) {
  return parseLayer(readFileSync(new URL(path, root), 'utf8'), path).layer
}

for (const folder of ['dist/', 'src/dialects/files/', 'src/media/clips/', 'src/media/picture/'])
  mkdirSync(new URL(folder, root), { recursive: true })
writeFileSync(new URL('src/scenario/defaults.generated.ts', root), `${compileDefaults()}\n`)
writeFileSync(new URL('src/scenario/shipped.generated.ts', root), `${compileScenarios()}\n`)
writeFileSync(new URL('src/scenario/shipped-texts.generated.ts', root), `${compileTexts()}\n`)
for (const { name, text } of compileClips(new URL('fixtures/media/', root)))
  writeFileSync(new URL(`src/media/clips/${name}.ts`, root), `${text}\n`)
for (const { name, text } of compileDialects())
  writeFileSync(new URL(`src/dialects/files/${name}.generated.ts`, root), `${text}\n`)
writeFileSync(new URL('src/media/picture/glyphs.generated.ts', root), `${compileGlyphs()}\n`)
const schema = scenarioJsonSchema()
writeFileSync(new URL('dist/scenario.schema.json', root), `${JSON.stringify(schema)}\n`)
writeFileSync(new URL('dist/dialect.schema.json', root), `${JSON.stringify(dialectJsonSchema())}\n`)
writeFileSync(
  new URL('src/scenario/scenario-input.generated.ts', root),
  `${compileTypes(schema, SCENARIO_INPUT)}\n`,
)
writeFileSync(
  new URL('src/dialects/table/dialect-table.generated.ts', root),
  `${compileTypes(outputSchemaOf(dialectSchema), DIALECT)}\n`,
)
writeFileSync(new URL('src/control/shapes.generated.ts', root), `${compileControlShapes()}\n`)

/**
 * Returns the types of the JSON of the control API. A request type has the name of its schema, and a response type
 * has a suffix.
 */
function compileControlShapes(): string {
  const convert = converter(CONTROL_COMPONENTS)
  const nameOf = (component: string) => (component in INPUT_COMPONENTS ? component : `${component}Shape`)
  const shapes = Object.entries(CONTROL_COMPONENTS).filter(([name]) => !/(?:List|Page|Document)$/.test(name))
  return compileShapes(
    Object.fromEntries(shapes.map(([name, schema]) => [nameOf(name), convert(schema)])),
    nameOf,
  )
}
