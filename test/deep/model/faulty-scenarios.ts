import fc from 'fast-check'
import type { ScenarioInput } from '../../../src/index.js'
import { KEYS, MODELS } from './scenarios.js'

type Webhooks = NonNullable<ScenarioInput['webhooks']>
type Fault = NonNullable<ScenarioInput['faults']>[number]
type Limit = NonNullable<ScenarioInput['rate_limits']>[number]
type WebhookFault = NonNullable<Webhooks['faults']>[number]
type Key = { key: string; credits?: number; revoked?: string }
type Receiver = NonNullable<Webhooks['receivers']>[number]

export const HOOKS = ['http://one.test/a', 'http://one.test/b', 'http://two.test/'] as const

const seconds = fc.integer({ min: 0, max: 30 }).map((seconds) => `${seconds}s`)
const operation = fc.constantFrom('tasks.create', 'tasks.retrieve', 'tasks.list', 'tasks.cancel')
const model = fc.constantFrom(...MODELS)
const window = fc.record({ from: fc.constantFrom('0s', '10s'), to: fc.constantFrom('20s', '1h') })
const rate = fc.constantFrom(0.2, 0.5, 0.9)
const per = fc.constantFrom('task', 'key')
const nth = fc.oneof(
  fc.integer({ min: 1, max: 4 }),
  fc.record({ every: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ min: fc.integer({ min: 1, max: 3 }) }),
)

const step = fc.oneof(
  fc.constantFrom<Exclude<Fault['then'], unknown[]>>(
    ...([
      'reset',
      'lost',
      'hang',
      'unanswered',
      'cut',
      'empty',
      'invalid_json',
      'html',
      'wrong_type',
      'stale',
    ] as const),
    ...([500, 503, 429, 402] as const),
    { status: 500, executed: true },
    { bytes_per_second: 10 },
    { patch: { status: 'success', cost_usd: null } },
  ),
  seconds.map((delay) => ({ delay })),
  seconds.map((delay) => ({ delay, status: 504, executed: true })),
)
const fault = fc.oneof(
  fc.record({
    when: fc.record({ operation, rate, per, nth, window, model }, { requiredKeys: [] }),
    then: step,
  }),
  fc.record({
    when: fc.record({ operation, per }, { requiredKeys: ['operation'] }),
    then: fc.array(fc.oneof(step, fc.constant('pass')), { minLength: 1, maxLength: 4 }),
  }),
) as fc.Arbitrary<Fault>

const rateLimit = fc.record(
  {
    operation,
    key: fc.constantFrom(...KEYS),
    requests: fc.integer({ min: 2, max: 20 }),
    per: fc.constantFrom('1s', '20s'),
    burst: fc.integer({ min: 2, max: 10 }),
  },
  { requiredKeys: ['requests', 'per'] },
) as fc.Arbitrary<Limit>

const WEBHOOK_FAULTS = [
  'duplicate',
  'duplicate_at_once',
  'before_response',
  'after_poll',
  'out_of_order',
  'lost',
  'truncated',
  'changed',
  'reordered',
  'no_signature',
] as const
const webhookFault = fc.record({
  when: fc.record(
    {
      receiver: fc.constantFrom('http://one.test/*', HOOKS[2]),
      event: fc.constantFrom('task.succeeded', 'task.failed', 'task.canceled'),
      ...{ rate, per, nth, window, model },
    },
    { requiredKeys: [] },
  ),
  then: fc.oneof(
    fc.constantFrom(...WEBHOOK_FAULTS),
    seconds.map((delay) => ({ delay, duplicate: 'in_turn' as const })),
    fc.constant({
      timing: 'before_response' as const,
      duplicate: 'at_once' as const,
      body: 'changed' as const,
    }),
  ),
}) as fc.Arbitrary<WebhookFault>

const retries = fc.constantFrom<string[]>([], ['0s'], ['1s', '5s', '25s'])
const timeout = fc.constantFrom('1s', '15s')
const receiver = fc.record(
  {
    url: fc.constantFrom(...HOOKS),
    ordered: fc.boolean(),
    events: fc.constantFrom<string[]>(['task.succeeded'], ['task.failed', 'task.canceled']),
    ...{ retries, timeout },
  },
  { requiredKeys: ['url'] },
) as fc.Arbitrary<Receiver>

const auth = fc.record(
  {
    credits: fc.constantFrom(0.02, 0.3),
    keys: fc.constant<Key[]>([
      { key: KEYS[0], credits: 0.1 },
      { key: KEYS[1], revoked: '40s' },
    ]),
  },
  { requiredKeys: [] },
)

/** Any combination of faults, limits and webhook faults. */
export const anyFaultyScenario: fc.Arbitrary<ScenarioInput> = fc
  .record({
    delay: fc.oneof(seconds, fc.constant({ min: '0s', max: '20s' }), fc.constant({ polls: 2 })),
    failures: fc.constantFrom(0, 0.3),
    running: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    faults: fc.array(fault, { maxLength: 3 }),
    limits: fc.array(rateLimit, { maxLength: 2 }),
    auth: fc.option(auth, { nil: undefined, freq: 1 }),
    webhooks: fc.record({
      receivers: fc.uniqueArray(receiver, {
        minLength: 1,
        maxLength: 3,
        selector: (one) => JSON.stringify(one),
      }),
      faults: fc.array(webhookFault, { maxLength: 4 }),
      canceled_event: fc.constantFrom('task.canceled', 'task.cancelled', 'none'),
      ...{ retries, timeout },
    }),
  })
  .map(({ delay, failures, running, faults, limits, auth, webhooks }) => ({
    defaults: { delay, failures: { rate: failures }, price: { per_task: 0.01 } },
    kinds: { video: { price: { per_second: 0.003 } } },
    ...(running !== undefined && { capacity: { running, queued: 4 } }),
    ...(auth !== undefined && { auth }),
    faults,
    rate_limits: limits,
    webhooks,
  })) as fc.Arbitrary<ScenarioInput>
