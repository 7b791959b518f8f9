import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileTemplate, namesIn } from '../../../../src/dialects/table/template/compile.js'
import type { JsonObject, JsonValue } from '../../../../src/engine/json.js'

const VALUES = {
  id: () => 'job_1',
  at: () => '2026-01-01T00:00:01.500Z',
  none: () => undefined,
  empty: () => null,
  nothing: () => [],
  header: { find: (_: unknown, name: string) => `header ${name}` },
  input: ({ input }: { input: JsonObject }) => input,
}

const fill = (template: JsonValue, input: JsonObject = {}) => compileTemplate(template, VALUES)({ input })

describe('a template', () => {
  it('without placeholders is itself', () => {
    const plain = fc
      .jsonValue()
      .filter((value) => !JSON.stringify(value).includes('{{') && !hasSpecialField(value))
    fc.assert(
      fc.property(plain, (value) => {
        expect(fill(value as JsonValue)).toEqual(value)
      }),
    )
  })

  it('that is one placeholder becomes the value itself, and never changes it', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
        const input = JSON.parse(JSON.stringify(object)) as JsonObject
        expect(fill({ echo: '{{input}}' }, input)).toEqual({ echo: input })
        expect(fill({ '...': '{{input}}', id: '{{id}}' }, input)).toEqual({ ...input, id: 'job_1' })
      }),
    )
  })

  it.each<[string, JsonValue, unknown]>([
    ['inserts values into text', '/jobs/{{id}}?n={{input.n}}', '/jobs/job_1?n=2'],
    ['reads fields and indexes', '{{input.list.1.name}}', 'b'],
    ['takes the first value', '{{none or empty or input.n}}', 2],
    ['ends with a constant', '{{none or "none"}}', 'none'],
    ['ends with null', { a: '{{none or null}}' }, { a: null }],
    ['applies filters in order', '{{input.n | times 1.5 | text}}', '3'],
    ['filters each alternative', '{{none | unix or at | unix}}', 1_767_225_601],
    ['finds the nearest size', '{{input.deep.size | nearest 1280x720 720x1280}}', '720x1280'],
    ['has no size near a text', '{{input.deep.word | nearest 1280x720 or "none"}}', 'none'],
    ['cuts off the zone', '{{at | no_zone}}', '2026-01-01T00:00:01.500'],
    ['limits a number', ['{{input.n | at_most 1}}', '{{input.n | at_most 3}}'], [1, 2]],
    ['replaces a value', ['{{input.n | map 2 two}}', '{{input.n | map 3 three}}'], ['two', 2]],
    ['skips what is empty', '{{nothing | not_empty or input.n}}', 2],
    ['looks up values by name', '{{header.x-prefer}}', 'header x-prefer'],
    ['drops fields', '{{input | without list deep}}', { n: 2 }],
    ['leaves out what has no value', { a: '{{none}}', b: ['{{none}}', 1], c: 'x{{none}}' }, { b: [1] }],
    ['leaves out mappings of nothing', { a: { b: { c: '{{none}}' } }, d: {} }, { d: {} }],
    [
      'ends with an empty list or mapping',
      ['{{none or []}}', '{{none or {}}}', 'a{{none or {}}}b'],
      [[], {}, 'a{}b'],
    ],
    ['compares texts', ['{{input.n | equals 2}}', '{{id | equals job_2}}'], [true, false]],
    ['cuts off a prefix', ['{{id | without_prefix job_}}', '{{id | without_prefix 1}}'], ['1', 'job_1']],
    [
      'leaves out mappings whose condition is not met',
      [
        { '?': '{{none}}', a: 1 },
        { '?': '{{empty}}', a: 2 },
        { '?': false, a: 3 },
        { '?': '{{id}}', a: 4 },
      ],
      [{ a: 4 }],
    ],
    ['fills the names of fields', { '{{id}}': 1, '{{none}}': 2 }, { job_1: 1 }],
    ['ignores inherited properties', { a: '{{input.constructor}}', b: 1 }, { b: 1 }],
  ])('%s', (_, template, expected) => {
    const input = { n: 2, list: [{ name: 'a' }, { name: 'b' }], deep: { size: '700x1300', word: 'big' } }
    expect(fill(template, input)).toEqual(expected)
  })

  it.each([
    ['wait', true],
    ['wait=5', '5'],
    ['respond-async, Wait = "10"; x=1', '10'],
    ['respond-async', undefined],
  ])('reads a preference in %j', (header, expected) => {
    expect(fill('{{input.header | preference wait}}', { header })).toBe(expected)
  })

  it('keeps a field of the input that is called __proto__ as data', () => {
    const input = JSON.parse('{"__proto__": {"admin": true}}') as JsonObject
    const filled = fill({ '...': '{{input}}' }, input)
    expect(JSON.stringify(filled)).toBe('{"__proto__":{"admin":true}}')
    expect(Object.getPrototypeOf(filled)).toBe(Object.prototype)
  })

  it('names the values that it reads', () => {
    expect([...namesIn({ a: '{{id or input.x}}', '{{at}}': ['{{none | text}}'] })].sort()).toEqual([
      'at',
      'id',
      'input',
      'none',
    ])
  })
})

function hasSpecialField(value: unknown): boolean {
  return typeof value === 'object' && value !== null && /"(?:\.\.\.|\?)"/.test(JSON.stringify(value))
}
