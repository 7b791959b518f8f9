import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileTemplate } from '../../../../src/dialects/table/template/compile.js'
import {
  compileJson,
  type JsonText,
  type Tracked,
} from '../../../../src/dialects/table/template/compile-json.js'
import type { JsonObject, JsonValue } from '../../../../src/engine/json.js'

/** `now` and `late` may change at any time. */
interface Scope {
  readonly now: number
  /** Missing at first. */
  readonly late?: number
  readonly input?: JsonObject
}

interface TrackedScope extends Scope, Tracked {}

const VALUES = {
  id: () => 'job_1',
  none: () => undefined,
  now: (scope: TrackedScope) => changing(scope, scope.now),
  late: (scope: TrackedScope) => changing(scope, scope.late),
  input: ({ input }: TrackedScope) => input,
}

function changing<Value>(scope: TrackedScope, value: Value): Value {
  scope.until = 0
  return value
}

const tracked = (scope: Scope): TrackedScope => ({ ...scope, until: Infinity })

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
          const read = compileTemplate<TrackedScope>(template, VALUES)
          const all = scopes.map((scope) => ({ ...scope, ...(input && { input }) }))
          const write = compileJson(template, VALUES)
          let written: JsonText<TrackedScope> | undefined
          for (const scope of all) {
            written = write(tracked(scope), written)
            expect(written.text).toBe(JSON.stringify(read(tracked(scope)) ?? {}))
          }
        },
      ),
    )
  })

  it('computes only the values again that may change', () => {
    let reads = 0
    const values = { ...VALUES, id: () => String(++reads) }
    const write = compileJson<TrackedScope>({ id: '{{id}}', at: '{{now}}' }, values)
    const written = write(tracked({ now: 1 }))
    const texts = [2, 3].map((now) => write(tracked({ now }), written).text)
    expect(texts).toEqual(['{"id":"1","at":2}', '{"id":"1","at":3}'])
  })

  it('stays the same until the first of its values may change', () => {
    const until = (at: number) => (scope: Tracked) => {
      scope.until = at
      return at
    }
    const write = compileJson({ a: '{{a}}', b: '{{b}}', id: 1 }, { a: until(50), b: until(20) })
    expect(write({ until: Infinity })).toMatchObject({ text: '{"a":50,"b":20,"id":1}', until: 20 })
    expect(compileJson({ id: 1 }, {})({ until: Infinity }).until).toBe(Infinity)
  })
})
