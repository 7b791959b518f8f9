import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { dialectJsonSchema } from '../../../src/cli/commands/schema.js'
import { parseDialect } from '../../../src/dialects/language/parse-dialect.js'
import { strictAjv } from '../../support/ajv.js'

const root = new URL('../../../src/dialects/files/', import.meta.url)
const files = readdirSync(root).filter((file) => file.endsWith('.yaml'))
const isValid = strictAjv().compile(dialectJsonSchema())

it.each(files)('the schema for editors accepts %s', (file) => {
  const value = parse(readFileSync(new URL(file, root), 'utf8'), { merge: true })
  isValid(value)
  expect(isValid.errors).toBeNull()
  expect(isValid({ ...value, operations: { 'GET /x/{task_id}': 'retrive' } })).toBe(false)
})

it('the example of the documentation is valid', () => {
  const page = readFileSync(new URL('../../../docs/dialect-files.md', import.meta.url), 'utf8')
  const [, example = ''] = /```yaml\n(.*?)```/s.exec(page) ?? []
  expect(parseDialect(example).name).toBe('acme')
})
