import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileTemplate } from '../../../src/dialects/table/template/compile.js'
import { compileJson } from '../../../src/dialects/table/template/compile-json.js'
import type { JsonObject, JsonValue } from '../../../src/engine/json.js'

interface Scope {
  readonly now: number
  /** Missing at first. */
  readonly late?: number
  readonly input?: JsonObject
}

const VALUES = {
  id: () => 'job_1',
  none: () => undefined,
  now: ({ now }: Scope) => now,
  late: ({ late }: Scope) => late,
  input: ({ input }: Scope) => input,
}

const isChanging = (name: string) => name === 'now' || name === 'late'

const text = fc.constantFrom(
  '',
  'é"\\',
  '{{id}}',
  '{{none}}',
  '{{now}}',
  '{{late}}',
  '{{late or null}}',
  '{{input}}',
  '{{input.x}} at {{now}}',
)
const name = fc.constantFrom('a', 'b"', '7', '__proto__', '...', '?', '{{id}}', '{{now}}')
const template = fc.letrec<{ template: JsonValue; mapping: JsonValue }>((tie) => ({
  template: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    text,
    fc.constantFrom(null, true, 1.5),
    fc.array(tie('template'), { maxLength: 3 }),
    tie('mapping'),
  ),
  mapping: fc
    .array(fc.tuple(name, tie('template')), { maxLength: 4 })
    .map((fields) => Object.fromEntries(fields) as JsonObject),
})).mapping
const scope: fc.Arbitrary<Scope> = fc.record(
  { now: fc.double({ noNaN: true, noDefaultInfinity: true }), late: fc.integer() },
  { requiredKeys: ['now'] },
)

describe('the text of a template', () => {
  it('is the JSON of the filled template, also when it is written again at another time', () => {
    const input = fc.option(fc.record({ x: fc.string(), '0': fc.string() }), { nil: undefined })
    fc.assert(
      fc.property(
        template,
        input,
        fc.array(scope, { minLength: 1, maxLength: 3 }),
        (template, input, scopes) => {
          const read = compileTemplate<Scope>(template, VALUES)
          const [first, ...others] = scopes.map((scope) => ({ ...scope, ...(input && { input }) }))
          const written = compileJson(template, VALUES, isChanging)(first as Scope)
          for (const each of [first as Scope, ...others]) {
            const current = typeof written === 'string' ? written : written(each)
            expect(current).toBe(JSON.stringify(read(each) ?? {}))
          }
        },
      ),
    )
  })

  it('computes only the changing values again', () => {
    let reads = 0
    const values = { ...VALUES, id: () => String(++reads) }
    const written = compileJson<Scope>({ id: '{{id}}', at: '{{now}}' }, values, isChanging)({ now: 1 })
    const again = [2, 3].map((now) => typeof written === 'function' && written({ now }))
    expect(again).toEqual(['{"id":"1","at":2}', '{"id":"1","at":3}'])
  })
})
