import fc from 'fast-check'
import type { ScenarioInput } from '../../../src/index.js'

export const MODELS = ['acme/image-1', 'acme/video-1', 'acme/chat-1'] as const
export const KEYS = ['sk_one', 'sk_two'] as const

const RETRIES = ['1s', '5s', '25s'] as const

const duration = fc.nat(20_000).map((milliseconds) => `${milliseconds}ms`)
const pair = (low: string, high: string) =>
  fc.tuple(fc.nat(9_999), fc.nat(20_000)).map(([start, more]) => ({
    [low]: `${start + 1}ms`,
    [high]: `${start + 1 + more}ms`,
  }))
const delay = fc.oneof(
  duration,
  pair('min', 'max'),
  pair('median', 'p95'),
  fc.record({ polls: fc.integer({ min: 1, max: 3 }) }),
)
const limit = fc.record(
  { running: fc.integer({ min: 1, max: 3 }), queued: fc.nat(3) },
  { requiredKeys: ['running'] },
)
const pools = (...names: string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, limit])), { requiredKeys: [] })

const behavior = fc.record({ delay, failures: fc.record({ rate: fc.constantFrom(0, 0, 0.3, 1) }) })
const capacity = fc
  .tuple(
    fc.option(limit),
    fc.record(
      { kinds: pools('image', 'video'), models: pools('acme/chat-1', '*'), keys: pools('sk_one', '*') },
      { requiredKeys: [] },
    ),
  )
  .map(([everything, others]) => ({ ...everything, ...others }))

/** The rules by which an input requests an outcome. */
const RULES: ScenarioInput['rules'] = (['stuck', 'failed', 'canceled'] as const).map((outcome) => ({
  when: { input: { fate: outcome } },
  then: { outcome },
}))

/** Any behavior of the service. The webhook settings are the same in all, so that scenarios can be swapped. */
export const anyScenario: fc.Arbitrary<ScenarioInput> = fc
  .record({ defaults: behavior, kinds: fc.record({ video: behavior }, { requiredKeys: [] }), capacity })
  .map((drawn) => {
    const { defaults, ...others } = drawn as ScenarioInput
    return {
      ...others,
      defaults: { ...defaults, price: { per_task: 0.01 } },
      rules: RULES,
      // All models get the same inputs.
      api: { validation: 'lenient' } as const,
      webhooks: { retries: RETRIES },
    }
  })
