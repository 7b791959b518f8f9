import type { InferInput } from 'valibot'
import { expectTypeOf, test } from 'vitest'
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
