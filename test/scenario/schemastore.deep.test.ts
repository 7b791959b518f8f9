import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { strictAjv } from '../support/ajv.js'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

interface CatalogEntry {
  readonly name: string
  readonly fileMatch: readonly string[]
  readonly url: string
}

test('prepares schemas that SchemaStore accepts, with tests that they pass', () => {
  const clone = mkdtempSync(join(tmpdir(), 'tasksim-'))
  onTestFinished(() => rmSync(clone, { recursive: true }))
  const script = ['--import', 'tsx', 'scripts/prepare-schemastore.ts', clone]
  const catalog: CatalogEntry[] = JSON.parse(
    execFileSync(process.execPath, script, { cwd: ROOT, encoding: 'utf8' }),
  )
  expect(catalog.map(({ url }) => url)).toEqual([
    'https://json.schemastore.org/tasksim-dialect.json',
    'https://json.schemastore.org/tasksim-scenario.json',
  ])
  // The name that `tasksim init` gives.
  expect(catalog[1]?.fileMatch).toContain('tasksim.yaml')
  for (const { url } of catalog) {
    const name = new URL(url).pathname.slice(1, -'.json'.length)
    const schema = JSON.parse(readFileSync(join(clone, `src/schemas/json/${name}.json`), 'utf8'))
    expect(schema).toMatchObject({ $id: url, $schema: 'http://json-schema.org/draft-07/schema#' })
    expect([schema.title, schema.description, schema.type].every(Boolean)).toBe(true)
    const accepts = strictAjv().compile(schema)
    const resultsIn = (folder: string) =>
      readdirSync(join(clone, folder, name)).map((file) =>
        accepts(JSON.parse(readFileSync(join(clone, folder, name, file), 'utf8'))),
      )
    expect(resultsIn('src/test')).toEqual(expect.arrayContaining([true]))
    expect(resultsIn('src/test')).not.toContain(false)
    expect(resultsIn('src/negative_test')).toEqual(expect.arrayContaining([false]))
    expect(resultsIn('src/negative_test')).not.toContain(true)
  }
})
