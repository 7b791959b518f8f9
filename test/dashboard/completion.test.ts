import { describe, expect, it } from 'vitest'
import { isMap, isPair, isScalar, isSeq, type Node, parseDocument } from 'yaml'
import {
  inJson,
  type Proposal,
  proposalsAt,
  type SchemaNode,
  schemasAt,
  typeText,
} from '../../src/dashboard/model/editor/completions.js'
import { contextAt, indentAfter } from '../../src/dashboard/model/editor/yaml-context.js'
import { scenarioJsonSchema } from '../../src/scenario/schema/json-schema.js'
import { TEXTS } from '../../src/scenario/shipped-texts.generated.js'
import { sampleOf } from '../support/deep.js'

const SCHEMA: SchemaNode = scenarioJsonSchema()

/** Splits a text at its `|`, which marks the position. */
function at(marked: string): [text: string, cursor: number] {
  return [marked.replace('|', ''), marked.indexOf('|')]
}

function proposals(marked: string): readonly Proposal[] {
  const context = contextAt(...at(marked))
  return context === undefined ? [] : proposalsAt(SCHEMA, context, { extends: ['flaky', 'stuck'] })
}

function labels(marked: string): string[] {
  return proposals(marked).map(({ label }) => label)
}

/** The text after a proposal is accepted, with `|` at the position. */
function accepted(marked: string, label: string): string {
  const [text, cursor] = at(marked)
  const { from = 0, to = 0 } = contextAt(text, cursor) ?? {}
  const { insert = '', back = 0 } = proposals(marked).find((each) => each.label === label) ?? {}
  const end = from + insert.length - back
  const changed = text.slice(0, from) + insert + text.slice(to)
  return `${changed.slice(0, end)}|${changed.slice(end)}`
}

describe('the editor of scenarios proposes', () => {
  it.each([
    ['the keys of the file that are not there yet', 'fau|\nkinds: {}\ndefaults: {}', ['faults']],
    ['the keys of a mapping', 'api:\n  hid|', ['hide_queue']],
    [
      'keys in braces, before and behind others',
      'defaults: { delay: { p95: 4s, m|, max: 9s } }',
      ['median', 'min'],
    ],
    ['the keys of an item', 'faults:\n  - name: x\n    the|', ['then']],
    ['the keys of an item that begins', 'faults:\n- na|', ['name']],
    ['keys in braces over several lines', 'defaults: {\n  price: { per_im|\n', ['per_image']],
    ['the keys of a model with a quoted name', 'models:\n  "*/a: b": # fast\n    del|', ['delay']],
    ['words', 'api:\n  errors: pro|', ['problem']],
    [
      'words in brackets',
      'rate_limits:\n  - operation: [tasks.create, tasks.can|]',
      ['tasks.cancel', 'tasks.cancel_queued'],
    ],
    ['words in quotes', 'api: { errors: "det|" }', ['detail']],
    ['words as items', 'faults:\n  - then:\n      - lo|', ['lost']],
    ['true and false', 'api:\n  cancel: |', ['true', 'false']],
    ['examples', 'defaults:\n  queueing: 5|', ['5m', '250ms']],
    ['the shipped scenarios', 'extends: st|', ['stuck']],
  ])('%s', (_, marked, expected) => {
    expect(labels(marked).slice(0, expected.length)).toEqual(expected)
  })

  it.each([
    ['a comment', 'api: # err|'],
    ['a text', 'description: api err|'],
    ['a block text', 'description: |-\n  err%'.replace('|', '>').replace('%', '|')],
    ['a complete value', 'api: { cancel: true } |'],
    ['a colon without a space', 'api:|'],
    ['an unknown key', 'apis:\n  err|'],
  ])('nothing in or after %s', (_, marked) => {
    expect(labels(marked)).toEqual([])
  })

  it.each([
    ['api|', 'api', 'api:\n  |'],
    ['faul|', 'faults', 'faults:\n  - |'],
    ['faults:\n  |', 'name', 'faults:\n  - name: |'],
    ['rules:\n  - whe|', 'when', 'rules:\n  - when:\n      |'],
    ['defaults: { fail|', 'failures', 'defaults: { failures: { | }'],
    ['auth:\n  k|', 'keys', 'auth:\n  keys:\n    - |'],
    ['webhooks: { retr|', 'retries', 'webhooks: { retries: [|]'],
    ['de|lays: 4s', 'defaults', 'defaults|: 4s'],
    ['api: { errors: "det|x" }', 'detail', 'api: { errors: detail| }'],
  ])('an insertion that continues the text: %j', (marked, label, expected) => {
    expect(accepted(marked, label)).toBe(expected)
  })

  it('every key of the shipped scenarios at its place', () => {
    for (const text of sampleOf(3, Object.values(TEXTS)))
      for (const { path, key, cursor } of keysOf(text)) {
        const context = contextAt(text, cursor)
        const isCovered = schemasAt(SCHEMA, path).some(({ properties }) =>
          Object.hasOwn(properties ?? {}, key),
        )
        expect([context?.kind, context?.path]).toEqual(['key', path])
        if (isCovered && context !== undefined)
          expect(proposalsAt(SCHEMA, context).map(({ label }) => label)).toContain(key)
      }
  })
})

interface Key {
  readonly path: readonly (string | 0)[]
  readonly key: string
  readonly cursor: number
}

/** The keys of a document with their paths, from a complete parser. The position is behind the first letter. */
function keysOf(text: string): Key[] {
  const walk = (node: Node | null, path: Key['path']): Key[] => {
    if (isSeq(node)) return node.items.flatMap((item) => walk(item as Node, [...path, 0]))
    if (!isMap(node)) return []
    return node.items.flatMap((pair) => {
      if (!isPair(pair) || !isScalar(pair.key) || pair.key.value === '<<') return []
      const key = String(pair.key.value)
      const cursor = (pair.key.range?.[0] ?? 0) + 1
      return [{ path, key, cursor }, ...walk(pair.value as Node, [...path, key])]
    })
  }
  return walk(parseDocument(text).contents, [])
}

it('a new line of the editor begins where the next entry belongs', () => {
  const cases: [marked: string, spaces: number][] = [
    ['faults:|', 2],
    ['faults:\n  - name: x|', 4],
    ['faults:\n  - when:|', 6],
    ['description: >|', 2],
    ['api: {|', 2],
    ['  - |', 4],
    ['api: {}|', 0],
    ['a: b|', 0],
  ]
  expect(cases.map(([marked]) => indentAfter(...at(marked)))).toEqual(cases.map(([, spaces]) => spaces))
})

it('a few words describe the type of a key', () => {
  const typeOf = (...path: string[]) => schemasAt(SCHEMA, path).map(typeText)
  expect(typeOf('api', 'errors')).toEqual(['envelope | problem | detail'])
  expect(typeOf('api', 'max_values')).toEqual(['whole number from 1 to 10000000'])
  expect(typeOf('outputs', 'lifetime')).toEqual(['duration'])
  expect(typeOf('auth', 'keys')).toEqual(['list of text or { key, credits, expires, revoked }'])
})

describe('in JSON', () => {
  const schema: SchemaNode = {
    type: 'object',
    properties: {
      seconds: { type: 'number', examples: [8] },
      audio: { type: 'boolean' },
      ratio: { type: 'string', enum: ['16:9', 'auto'] },
    },
  }

  it.each([
    ['{ sec| }', '{ "seconds": | }'],
    ['{ "sec|": 4 }', '{ "seconds"|: 4 }'],
    ['{ "seconds": | }', '{ "seconds": 8| }'],
    ['{ "audio": t| }', '{ "audio": true| }'],
    ['{ "ratio": "1| }', '{ "ratio": "16:9"| }'],
    ['{ "ratio": a| }', '{ "ratio": "auto"| }'],
  ])('%s becomes %s', (marked, expected) => {
    const [text, cursor] = at(marked)
    const context = contextAt(text, cursor)
    if (context === undefined) throw new Error('There is nothing to complete.')
    const [first] = proposalsAt(schema, context)
    const { insert } = inJson(first as Proposal, context)
    expect(`${text.slice(0, context.from)}${insert}|${text.slice(context.to)}`).toBe(expected)
  })
})
