import type { InferInput, InferOutput } from 'valibot'
import { expectTypeOf, test } from 'vitest'
import type { ScenarioLayer } from '../../src/engine/scenario/layer.js'
import { defineScenario, type JsonValue, type ScenarioInput } from '../../src/index.js'
import type { scenarioSchema } from '../../src/scenario/schema/scenario.js'

type Plain = string | number | boolean | null | undefined
type ReadOnly<Value> = [JsonValue] extends [Value]
  ? Value
  : Value extends Plain
    ? Value
    : { readonly [Name in keyof Value]: ReadOnly<Value[Name]> }

/** The input type of the schema, without the names and documentation of the generated types. */
type Read = ReadOnly<InferInput<typeof scenarioSchema>>

test('the generated types are those of the schema', () => {
  expectTypeOf<Read>().toExtend<ScenarioInput>()
  expectTypeOf<ScenarioInput>().toExtend<Read>()
})

test('an unknown field and an invalid duration are errors', () => {
  // @ts-expect-error: the field is misspelled, did you mean `delay`?
  const field: ScenarioInput = { kinds: { video: { dealy: '3s' } } }
  // @ts-expect-error: it contains a space
  const blank: ScenarioInput = { defaults: { delay: '2 s' } }
  // @ts-expect-error: it is a word
  const word: ScenarioInput = { outputs: { lifetime: '5 minutes' } }
  for (const input of [field, blank, word]) expectTypeOf(defineScenario).toBeCallableWith(input)
})

test('a scenario may be a constant', () => {
  const input = {
    extends: 'instant',
    rules: [{ when: { kind: 'video' }, then: { outcome: 'failed', error: { code: 'x', message: 'y' } } }],
    webhooks: { retries: ['1s', '1m30s'], faults: [{ then: ['lost'] }] },
  } as const
  expectTypeOf(input).toExtend<ScenarioInput>()
})

test('the model has every field that the schema reads', () => {
  type Layer = InferOutput<typeof scenarioSchema>
  expectTypeOf<keyof Layer>().toEqualTypeOf<keyof ScenarioLayer>()
  type Fields<Part extends 'auth' | 'api' | 'capacity' | 'webhooks' | 'outputs' | 'findings'> = [
    keyof NonNullable<Layer[Part]>,
    keyof NonNullable<ScenarioLayer[Part]>,
  ]
  expectTypeOf<Fields<'auth'>[0]>().toEqualTypeOf<Fields<'auth'>[1]>()
  expectTypeOf<Fields<'api'>[0]>().toEqualTypeOf<Fields<'api'>[1]>()
  expectTypeOf<Fields<'capacity'>[0]>().toEqualTypeOf<Fields<'capacity'>[1]>()
  expectTypeOf<Fields<'webhooks'>[0]>().toEqualTypeOf<Fields<'webhooks'>[1]>()
  expectTypeOf<Fields<'outputs'>[0]>().toEqualTypeOf<Fields<'outputs'>[1]>()
  expectTypeOf<Fields<'findings'>[0]>().toEqualTypeOf<Fields<'findings'>[1]>()
})
