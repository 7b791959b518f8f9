import fc from 'fast-check'
import type { ScenarioInput } from '../../src/index.js'
import type { Sent, World } from './world.js'

const FAULTS = [
  'duplicate',
  'duplicate_at_once',
  'before_response',
  'after_poll',
  'out_of_order',
  'lost',
  'truncated',
  'changed',
  'extra_field',
  'spaced',
  'wrong_signature',
  'no_signature',
  'previous_secret',
  'old_timestamp',
] as const

const MODELS = ['acme/plain', 'acme/delayed', 'acme/sometimes', ...FAULTS.map((fault) => `acme/${fault}`)]

/** A receiver of each kind, and a model for each webhook fault. */
export const SCENARIO: ScenarioInput = {
  defaults: { delay: { min: '1s', max: '4s' }, failures: { rate: 0.2 }, queueing: '300ms' },
  capacity: { running: 4, queued: 20 },
  webhooks: {
    receivers: [
      { url: 'http://all.test/', secret: 'its own' },
      { url: 'http://ordered.test/flaky', ordered: true },
      { url: 'http://failures.test/flaky', events: ['task.failed'], retries: ['1s', '1m'] },
    ],
    faults: [
      ...FAULTS.map((then) => ({ when: { model: `acme/${then}` }, then })),
      { when: { model: 'acme/delayed' }, then: { delay: { min: '1s', max: '20s' } } },
      { when: { model: 'acme/sometimes', nth: { every: 2 }, per: 'key' as const }, then: 'duplicate' },
      { when: { model: 'acme/sometimes', rate: 0.5, per: 'task' as const }, then: 'truncated' },
    ],
  },
}

const HOOKS = [undefined, 'http://own.test/', 'http://own.test/flaky', 'http://gone.test/']

/** Creates a task of each service whose webhooks differ, with the URL of a receiver. */
const CREATES: readonly ((hook: string | undefined, prompt: string) => Sent)[] = [
  (webhook, prompt) => ({
    method: 'POST',
    path: '/replicate/v1/predictions',
    body: {
      version: 'acme/image-1',
      input: { prompt, n: 3 },
      webhook,
      webhook_events_filter: ['start', 'output', 'logs', 'completed'],
    },
  }),
  (webhook, prompt) => ({
    method: 'POST',
    path: '/runpod/v2/flux-image/run',
    body: { input: { prompt, n: 3 }, webhook },
  }),
  (_, prompt) => ({
    method: 'POST',
    path: '/google/v1beta/models/veo-3.1-generate-preview:predictLongRunning',
    headers: { 'x-goog-api-key': 'gemini' },
    body: { instances: [{ prompt }] },
  }),
]

const GOOGLE = '/google/v1beta/webhooks'

/** What a client or a test does. */
export type Command =
  | { readonly do: 'create'; readonly model: number; readonly prompt: number; readonly hook: number }
  | {
      readonly do: 'create elsewhere'
      readonly service: number
      readonly prompt: number
      readonly hook: number
    }
  | { readonly do: 'poll' | 'cancel' | 'hold' | 'release' | 'delete' | 'redeliver'; readonly number: number }
  | {
      readonly do: 'stream' | 'add' | 'remove' | 'register' | 'rotate' | 'disable' | 'unregister'
      readonly number: number
    }
  | { readonly do: 'advance'; readonly by: number }
  | { readonly do: 'reset' }

const numbered = (...names: Extract<Command, { number: number }>['do'][]) =>
  fc.record({ do: fc.constantFrom(...names), number: fc.nat(9) }) as fc.Arbitrary<Command>

/** Any command. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('create' as const),
      model: fc.nat(MODELS.length - 1),
      prompt: fc.nat(2),
      hook: fc.nat(HOOKS.length - 1),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('create elsewhere' as const),
      service: fc.nat(CREATES.length - 1),
      prompt: fc.nat(2),
      hook: fc.nat(HOOKS.length - 1),
    }),
  },
  { weight: 12, arbitrary: numbered('poll', 'cancel', 'hold', 'release', 'delete', 'stream') },
  {
    weight: 8,
    arbitrary: numbered('redeliver', 'add', 'remove', 'register', 'rotate', 'disable', 'unregister'),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('advance' as const),
      by: fc.oneof(fc.nat(1_000), fc.nat(30_000)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reset' as const) }) },
)

/** Sends the commands to a world. It waits for the webhooks in flight after each one. */
export class Player {
  readonly #world: World
  readonly #tasks: string[] = []
  readonly #jobs: string[] = []
  readonly #registered: string[] = []

  constructor(world: World) {
    this.#world = world
  }

  async play(command: Command): Promise<void> {
    await this.#carryOut(command)
    const { inFlight } = this.#world.sim.time
    while (inFlight.size > 0) await inFlight.ended()
  }

  async #carryOut(command: Command): Promise<unknown> {
    const { sim } = this.#world
    const number = 'number' in command ? command.number : 0
    const task = at(this.#tasks, number) ?? 'task_none'
    const registered = at(this.#registered, number) ?? 'none'
    switch (command.do) {
      case 'create': {
        const body = {
          model: MODELS[command.model],
          input: { prompt: `picture ${command.prompt}` },
          webhook_url: HOOKS[command.hook],
        }
        const made = await this.#send('POST', '/v1/tasks', body)
        if (typeof made.id === 'string') this.#tasks.push(made.id)
        return
      }
      case 'create elsewhere': {
        const made = await this.#world.send(
          at(CREATES, command.service)?.(HOOKS[command.hook], `picture ${command.prompt}`) as Sent,
        )
        if (typeof made.id !== 'string') return
        this.#tasks.push(made.id)
        if (command.service === 1) this.#jobs.push(made.id)
        return
      }
      case 'poll':
        return this.#send('GET', `/v1/tasks/${task}`)
      case 'cancel':
        return this.#send('POST', `/v1/tasks/${task}/cancel`)
      case 'hold':
      case 'release':
        return this.#send('POST', `/_sim/tasks/${task}/${command.do}`)
      case 'delete':
        return sim.tasks.delete(task)
      case 'stream':
        return this.#send('GET', `/runpod/v2/flux-image/stream/${at(this.#jobs, number) ?? 'none'}?wait=0`)
      case 'redeliver':
        return this.#send('POST', `/_sim/deliveries/dlv_${String(number + 1).padStart(8, '0')}/redeliver`)
      case 'add':
        return this.#send('POST', '/_sim/receivers', { url: `http://added-${number % 3}.test/flaky` })
      case 'remove':
        return this.#send('DELETE', `/_sim/receivers/rcv_${number + 1}`)
      case 'register': {
        const url = `http://registered-${number % 3}.test/flaky`
        const made = await this.#google('POST', '', {
          uri: url,
          subscribed_events: ['video.generated'],
          name: `number ${number}`,
        })
        if (typeof made.id === 'string') this.#registered.push(made.id)
        return
      }
      case 'rotate':
        return this.#google('POST', `/${registered}:rotateSigningSecret`)
      case 'disable':
        return this.#google('PATCH', `/${registered}`, { state: number % 2 === 0 ? 'disabled' : 'enabled' })
      case 'unregister':
        return this.#google('DELETE', `/${registered}`)
      case 'advance':
        return this.#send('POST', '/_sim/clock', { advance: `${command.by}ms` })
      case 'reset':
        return sim.reset()
    }
  }

  #send(method: string, path: string, body?: unknown) {
    return this.#world.send({ method, path, body })
  }

  #google(method: string, path: string, body?: unknown) {
    const headers = { 'x-goog-api-key': 'gemini' }
    return this.#world.send({ method, path: `${GOOGLE}${path}`, headers, body })
  }
}

const at = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items[index % Math.max(1, items.length)]

/** Commands whose effects depend on what random commands seldom bring about. */
export const EXAMPLES: readonly Command[][] = [
  [...created('acme/plain', 5), { do: 'advance', by: 5_000 }, { do: 'delete', number: 2 }, ...steps(9)],
  [
    { do: 'create elsewhere', service: 1, prompt: 0, hook: 0 },
    ...[...steps(4), ...steps(4)].flatMap((step): Command[] => [step, { do: 'stream', number: 0 }]),
  ],
  [
    { do: 'register', number: 0 },
    { do: 'rotate', number: 0 },
    { do: 'rotate', number: 0 },
    { do: 'unregister', number: 0 },
    { do: 'register', number: 0 },
    { do: 'create elsewhere', service: 2, prompt: 0, hook: 0 },
    ...steps(9),
  ],
  [...created('acme/delayed', 3), ...created('acme/plain', 2), ...steps(30)],
  [
    ...created('acme/after_poll', 2),
    ...created('acme/out_of_order', 2),
    ...steps(4),
    { do: 'poll', number: 0 },
    ...steps(3),
    ...created('acme/plain', 1),
    ...steps(9),
  ],
]

function created(model: string, count: number): Command[] {
  return Array.from({ length: count }, (_, prompt) => ({
    do: 'create',
    model: MODELS.indexOf(model),
    prompt,
    hook: 2,
  }))
}

function steps(count: number): Command[] {
  return Array.from({ length: count }, (_, number) => ({ do: 'advance', by: 400 + 900 * (number % 3) }))
}
