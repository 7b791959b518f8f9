import { base, en, Faker } from '@faker-js/faker'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Chance } from '../../../../src/engine/random.js'
import type { JsonObject, JsonValue } from '../../../../src/index.js'
import { sample } from '../../../../src/kinds/llm/json-schema/sample.js'
import { ajvWith } from '../../../support/ajv.js'
import { runs } from '../../../support/deep.js'

function sampleOf(schema: JsonValue, seed: string | number = 'seed'): JsonValue {
  const random = Chance.of(String(seed)).stream('arguments')
  const faker = new Faker({ locale: [en, base], randomizer: { next: () => random.float(), seed: () => {} } })
  return sample(schema, { random, faker })
}

/** Returns a function that validates a value with an independent validator. */
function validator(schema: JsonObject): (value: JsonValue) => unknown[] {
  const validate = ajvWith({ logger: false }).compile(schema)
  return (value) => (validate(value) ? [] : (validate.errors ?? []))
}

function expectFit(schema: JsonObject, samples = runs(2, 30)): void {
  const errorsOf = validator(schema)
  for (let seed = 0; seed < samples; seed++) {
    const value = sampleOf(schema, seed)
    expect(errorsOf(value), JSON.stringify(value)).toEqual([])
  }
}

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
})

test('the same seed produces the same value, another seed another one', () => {
  const schema = object({ city: { type: 'string' }, days: { type: 'integer' } })
  expect(sampleOf(schema, 1)).toEqual(sampleOf(schema, 1))
  expect(sampleOf(schema, 1)).not.toEqual(sampleOf(schema, 2))
})

test.each<[string, JsonObject]>([
  [
    'a weather tool',
    object({ city: { type: 'string' }, unit: { enum: ['C', 'F'] } }, { additionalProperties: false }),
  ],
  ['a constant', object({ kind: { const: 'x' }, nested: { const: { a: [1] } } })],
  ['several types', object({ id: { type: ['integer', 'null'] }, any: {} })],
  ['an enum with a type', object({ unit: { type: 'string', enum: ['C', null, 5] } })],
  [
    'bounds',
    object({
      a: { type: 'integer', minimum: 5, exclusiveMaximum: 7 },
      b: { type: 'number', exclusiveMinimum: 0, maximum: 0.001 },
    }),
  ],
  [
    'one-sided bounds',
    object({
      a: { type: 'integer', minimum: 1e6 },
      b: { type: 'number', maximum: -1e9 },
      c: { type: 'number', minimum: 1e300 },
    }),
  ],
  [
    'multiples',
    object({
      a: { type: 'number', multipleOf: 0.1 },
      b: { type: 'integer', multipleOf: 7, minimum: 15 },
    }),
  ],
  [
    'lengths',
    object({
      a: { type: 'string', minLength: 30 },
      b: { type: 'string', maxLength: 2 },
      c: { type: 'string', minLength: 3, maxLength: 3 },
    }),
  ],
  [
    'arrays',
    object({
      a: { type: 'array', items: { type: 'integer' }, minItems: 4, maxItems: 5 },
      b: { type: 'array', maxItems: 0 },
    }),
  ],
  [
    'unique items',
    object({ a: { type: 'array', items: { enum: [1, 2, 3] }, minItems: 3, uniqueItems: true } }),
  ],
  [
    'tuples',
    object({
      a: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], items: false, minItems: 2 },
    }),
  ],
  ['nested objects', object({ a: object({ b: object({ c: object({ d: object({ e: object({}) }) }) }) }) })],
  [
    'a required field that is not described',
    { type: 'object', required: ['a'], additionalProperties: { type: 'number' } },
  ],
  ['anyOf', object({ a: { anyOf: [{ type: 'string' }, { type: 'integer' }, false] } })],
  [
    'a discriminated oneOf',
    object({
      shape: {
        oneOf: [
          object({ t: { const: 'a' }, r: { type: 'number' } }, { additionalProperties: false }),
          object({ t: { const: 'b' }, w: { type: 'string' } }, { additionalProperties: false }),
        ],
      },
    }),
  ],
  [
    'allOf',
    {
      allOf: [
        object({ a: { type: 'integer', minimum: 3 } }),
        object({ a: { maximum: 4 }, b: { type: 'string' } }),
      ],
    },
  ],
  [
    'references',
    {
      ...object({ a: { $ref: '#/$defs/a~1b' }, c: { $ref: '#/$defs/c%20d' } }),
      $defs: { 'a/b': { type: 'integer' }, 'c d': { $ref: '#/$defs/a~1b', minimum: 90 } },
    },
  ],
  [
    'a tree',
    { ...object({ value: { type: 'integer' }, children: { type: 'array', items: { $ref: '#' } } }) },
  ],
  [
    'a list that may end',
    {
      $ref: '#/$defs/node',
      $defs: { node: object({ next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] } }) },
    },
  ],
  [
    'names from the prototype',
    object(JSON.parse('{"constructor": {"type": "integer"}, "__proto__": {"type": "string"}}'), {
      required: ['constructor', 'toString'],
    }),
  ],
])('the sample for %s is valid', (_, schema) => {
  expectFit(schema)
})

test.each([
  'date',
  'date-time',
  'time',
  'email',
  'uri',
  'uri-reference',
  'hostname',
  'ipv4',
  'ipv6',
  'uuid',
  'duration',
])('a sample of the format %s is valid', (format) => {
  expectFit(object({ a: { type: 'string', format } }), runs(1, 10))
})

test.each([
  '^[a-z0-9-]{3,8}$',
  '^\\d{4}-\\d{2}-\\d{2}$',
  '(foo|bar)+',
  '^[^a-z]+$',
  '^\\p{Lu}\\p{Ll}*$',
  '^[а-я]{2}$',
  '^$',
  '^\\S+@\\S+\\.\\w{2,}$',
  '^(?:\\+|00)\\d{6,14}$',
  '[\\w.-]+',
  '^.{5}$',
  '^a?b*?c+$',
  '^(a+)+$',
  '\\u{1F600}',
])('a sample for the pattern %s matches it', (pattern) => {
  expectFit(object({ a: { type: 'string', pattern } }), runs(1, 15))
})

test('an unsupported keyword, pattern or format has no effect', () => {
  const schema = object({
    a: { type: 'string', pattern: '^(a)\\1$' },
    b: { type: 'string', format: 'regex' },
    c: { type: 'integer', not: { const: 2 } },
  })
  expect(
    validator(object({ a: { minLength: 1 }, b: { minLength: 1 }, c: { type: 'integer' } }))(sampleOf(schema)),
  ).toEqual([])
})

test('a sample matches its pattern and its length limits where both are possible', () => {
  expectFit(object({ a: { type: 'string', pattern: '^[a-z]+$', minLength: 40, maxLength: 60 } }))
  expectFit(object({ a: { type: 'string', pattern: '^x', minLength: 12 } }))
  expectFit(object({ a: { type: 'string', pattern: '^[a-z]*$', maxLength: 1 } }))
})

const leaf: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({ type: fc.constant('boolean') }),
  fc
    .tuple(fc.integer(), fc.nat(1_000))
    .map(([minimum, span]) => ({ type: 'integer', minimum, maximum: minimum + span })),
  fc
    .tuple(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), fc.nat(1_000))
    .map(([minimum, span]) => ({ type: 'number', minimum, maximum: minimum + span })),
  fc
    .tuple(fc.nat(20), fc.nat(20))
    .map(([minLength, more]) => ({ type: 'string', minLength, maxLength: minLength + more })),
  fc.constantFrom('date', 'email', 'uuid', 'uri').map((format) => ({ type: 'string', format })),
  fc
    .uniqueArray(fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { minLength: 1 })
    .map((words) => ({ enum: words })),
)

const { schema: anySchema } = fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    leaf,
    tie('object'),
    fc
      .tuple(tie('schema'), fc.nat(5), fc.nat(5))
      .map(([items, minItems, more]) => ({ type: 'array', items, minItems, maxItems: minItems + more })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    tie('schema').map((inner) => ({ allOf: [inner, {}, inner] })),
  ),
  object: fc
    .tuple(
      fc.dictionary(fc.string(), tie('schema'), { maxKeys: 5 }),
      fc.infiniteStream(fc.boolean()),
      fc.boolean(),
    )
    .map(([properties, isRequired, additionalProperties]) => ({
      type: 'object',
      properties,
      additionalProperties,
      required: Object.keys(properties).filter(() => isRequired.next().value),
    })),
}))

test('the sample for any schema is valid according to a validator', () => {
  fc.assert(
    fc.property(anySchema, fc.nat(), (schema, seed) => {
      const value = sampleOf(schema, seed)
      expect(validator(schema)(value), JSON.stringify(value)).toEqual([])
    }),
    { numRuns: runs(15, 150) },
  )
})

test('a sample for an invalid schema takes bounded time and does not throw', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (schema) => {
      expect(JSON.stringify(sampleOf(schema as JsonValue))).toBeDefined()
    }),
  )
})

const keywords = [
  'type',
  'properties',
  'required',
  'items',
  'enum',
  'minimum',
  'maximum',
  'multipleOf',
  'minLength',
  'pattern',
  'format',
  'minItems',
  'uniqueItems',
  'anyOf',
  'oneOf',
  'allOf',
  '$ref',
  'const',
  'prefixItems',
  'minProperties',
]

test('keywords with invalid values cause no error', () => {
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.dictionary(fc.constantFrom(...keywords), fc.jsonValue({ maxDepth: 1 })),
  )
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keywords), value), (schema) => {
      expect(JSON.stringify(sampleOf(schema as JsonObject))).toBeDefined()
    }),
    { numRuns: runs(50, 300) },
  )
})

const strings = { type: 'string' }
const range = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`)
const threefold = (ref: string) => object({ x: { $ref: ref }, y: { $ref: ref }, z: { $ref: ref } })
const flood = object(Object.fromEntries(range(10_000).map((name) => [name, strings])))

test.each<[string, JsonObject]>([
  ['a reference to itself', { $ref: '#' }],
  ['an object that holds itself for ever', object({ self: { $ref: '#' } })],
  ['three of itself in itself', threefold('#')],
  [
    'an exponential ladder',
    {
      ...threefold('#/$defs/s0'),
      $defs: Object.fromEntries(range(60).map((_, step) => [`s${step}`, threefold(`#/$defs/s${step + 1}`)])),
    },
  ],
  ['10,000 properties', flood],
  [
    '10,000 properties, over and over',
    { allOf: Array.from({ length: 400 }, () => ({ $ref: '#/$defs/flood' })), $defs: { flood }, items: flood },
  ],
  ['a billion items', { type: 'array', minItems: 1e9 }],
  [
    'a billion equal items that must differ',
    { type: 'array', minItems: 1e9, uniqueItems: true, items: { const: 1 } },
  ],
  ['a billion floods', { type: 'array', minItems: 1e9, items: flood }],
  ['a billion characters', { ...strings, minLength: 1e9 }],
  ['a billion properties', { type: 'object', minProperties: 1e9 }],
  ['a catastrophic pattern', { ...strings, pattern: '^(([a-z])+.)+[A-Z]([a-z])+$', minLength: 500 }],
  ['nested repeats', { ...strings, pattern: '((((a{1000}){1000}){1000}){1000}){1000}' }],
  ['repeats of nothing', { ...strings, pattern: '((((){1000}){1000}){1000}){1000}' }],
  ['a pattern without end', { ...strings, pattern: '(a|b)'.repeat(100_000) }],
  ['10,000 branches of branches', { anyOf: Array.from({ length: 10_000 }, () => ({ $ref: '#' })) }],
  [
    'oneOf that never holds',
    {
      oneOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }],
      $defs: {
        a: { type: 'array', minItems: 5, items: { oneOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }] } },
      },
    },
  ],
  ['a large word, a billion times', { type: 'array', minItems: 1e9, items: { const: 'x'.repeat(90_000) } }],
  [
    'a large example',
    { type: 'array', minItems: 1e9, items: { type: 'string', default: 'x'.repeat(1_000_000) } },
  ],
  [
    'large words in an enum',
    { type: 'array', minItems: 1e9, items: { enum: range(20).map((name) => name.repeat(100_000)) } },
  ],
  [
    'a million words to compare',
    { type: 'array', minItems: 1e9, items: { oneOf: [{ enum: range(500_000) }, { enum: range(500_000) }] } },
  ],
  [
    'large objects to compare',
    {
      type: 'array',
      minItems: 1e9,
      items: { not: { enum: [range(100_000), range(100_001)] }, const: range(100_000) },
    },
  ],
  [
    '10,000 branches on a long text',
    { type: 'string', minLength: 90_000, oneOf: range(10_000).map(() => ({ minLength: 5 })) },
  ],
  [
    'a billion patterns',
    {
      type: 'array',
      minItems: 1e9,
      items: { ...strings, pattern: '^[^a-f]{300}(\\w|[0-9]){300}$', minLength: 700 },
    },
  ],
  [
    'a billion patterns of nothing',
    {
      type: 'array',
      minItems: 1e9,
      items: { ...strings, pattern: '(((){1000}){1000}){1000}', minLength: 5, maxLength: 5 },
    },
  ],
  [
    'a million types',
    { type: 'array', minItems: 1e9, items: { type: range(500_000), allOf: [{ type: range(500_000) }] } },
  ],
  [
    'unique large items',
    {
      type: 'array',
      minItems: 1e9,
      uniqueItems: true,
      items: { type: 'array', minItems: 1_000, uniqueItems: true, items: { type: 'integer', maximum: 1e9 } },
    },
  ],
  ['a contradiction', { type: 'integer', minimum: 5, maximum: 1, allOf: [{ type: 'string' }] }],
  ['nothing at all', { not: {} }],
  ['a tiny step over a vast range', { type: 'number', multipleOf: 1e-300, minimum: -1e308, maximum: 1e308 }],
])('the sample of a hostile schema is small: %s', (_, schema) => {
  const text = JSON.stringify(sampleOf(schema))
  expect(text.length).toBeLessThan(1_000_000)
})
