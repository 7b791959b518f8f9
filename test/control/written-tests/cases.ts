import { createSimulator, parseScenario, type SimulatorOptions } from '../../../src/index.js'
import { FINDING_IDS } from '../../../src/inspect/findings/ids.js'
import { ALL_SERVICES, type Bench, withBench } from './bench.js'

/** A way to get a test file from a simulator. */
export interface Case {
  readonly name: string
  /** Writes the test. */
  write(): Promise<string>
  /** Changes the scenario, so that the test must fail. */
  readonly mutate: (text: string) => string
}

const outcomes = ['succeeded', 'failed', 'canceled', 'stuck']
const endingWith = (outcome: string) => `rules:\n  - then: { outcome: ${outcome}, delay: 7s }\n`

/** Replaces the scenario of a test that has the default one. */
const withScenario = (code: string) => (text: string) =>
  text.replace('simTest({', `simTest({ scenario: ${code},`)
const withoutScenario = (text: string) => text.replace(/^(const test = simTest\(\{\s*)scenario,/m, '$1')

/** Tests of tasks of a dialect, with each outcome. */
export function taskCases(dialect: string): Case[] {
  const hook = ALL_SERVICES[dialect]?.hook
  const more = hook === undefined ? {} : { [hook]: 'https://app.example.com/hook' }
  return outcomes.map((outcome) => ({
    name: `a task of ${dialect} that is ${outcome}`,
    write: () =>
      withBench(dialect, { scenario: parseScenario(endingWith(outcome)), ...flaky() }, async (bench) => {
        const id = await bench.create(more)
        await bench.sim.clock.advance('1h')
        return bench.sim.control.tasks.test(id)
      }),
    mutate: (text) =>
      text.replace(`outcome: ${outcome}`, `outcome: ${outcome === 'failed' ? 'succeeded' : 'failed'}`),
  }))
}

/** A receiver that fails at first. */
function flaky(): SimulatorOptions {
  let attempts = 0
  return { transport: async () => ({ status: attempts++ === 0 ? 500 : 204 }) }
}

function main(
  name: string,
  options: SimulatorOptions,
  use: (bench: Bench) => Promise<string>,
  mutate: (text: string) => string = withoutScenario,
): Case {
  return { name, write: () => withBench('tasks', options, use), mutate }
}

const PATH = '/api/v1/tasks'
const IMAGE = { model: 'acme/image-1', input: { prompt: 'a lighthouse' } }
const half = parseScenario('defaults: { failures: { rate: 0.5 }, delay: { median: 5s, p95: 20s } }\n')

/** Tests of tasks whose result depends on something else than the scenario. */
export const SPECIAL_TASKS: readonly Case[] = [
  main(
    'the fifth of equal tasks',
    { scenario: half },
    async (bench) => {
      for (let count = 1; count <= 4; count++) await bench.create()
      const id = await bench.create()
      await bench.sim.clock.runUntilIdle()
      return bench.sim.control.tasks.test(id)
    },
    (text) => text.replace('rate: 0.5', text.includes("'succeeded'") ? 'rate: 1' : 'rate: 0'),
  ),
  main(
    'the 57th of equal tasks',
    { scenario: half },
    async (bench) => {
      for (let count = 1; count <= 56; count++) await bench.create()
      const id = await bench.create()
      await bench.sim.clock.runUntilIdle()
      return bench.sim.control.tasks.test(id)
    },
    (text) => text.replace(/outcome=\w+ /, 'outcome=canceled '),
  ),
  main(
    'a task of a scenario that was replaced',
    { scenario: 'flaky' },
    async (bench) => {
      const id = await bench.create(
        {},
        { 'x-sim': 'outcome=failed error=too_hot message="Too hot: \\"40\\""' },
      )
      await bench.sim.clock.runUntilIdle()
      bench.sim.useScenario('instant')
      return bench.sim.control.tasks.test(id)
    },
    (text) => text.replace('error=too_hot', 'error=other'),
  ),
  main(
    'a canceled task',
    {},
    async (bench) => {
      const id = await bench.create()
      await bench.sim.clock.advance('1s')
      await bench.send('POST', `${PATH}/${id}/cancel`)
      return bench.sim.control.tasks.test(id)
    },
    withScenario("{ defaults: { delay: '1ms' } }"),
  ),
  main(
    'a task that a person has ended',
    {},
    async (bench) => {
      const id = await bench.create()
      await bench.sim.clock.advance('1s')
      await bench.sim.control.tasks.finish(id, { status: 'failed', error: { code: 'by_hand' } })
      return bench.sim.control.tasks.test(id)
    },
    (text) => text.replace("code: 'by_hand', message", "code: 'other', message"),
  ),
  main(
    'a task that ends at its third poll',
    { scenario: parseScenario('defaults: { delay: { polls: 3 } }\n') },
    async (bench) => {
      const id = await bench.create()
      for (let polls = 0; polls < 3; polls++) await bench.send('GET', `${PATH}/${id}`)
      return bench.sim.control.tasks.test(id)
    },
    (text) => text.replace('polls: 3', 'polls: 4'),
  ),
  main(
    'a task of one key among several, with a forged webhook',
    {
      scenario: parseScenario(
        'auth: { keys: [sk_live_of_alice, { key: sk_live_of_bob, credits: 1 }] }\nwebhooks: { secret: whsec_of_mine_only, faults: [{ then: wrong_signature }] }\n',
      ),
      ...flaky(),
    },
    async (bench) => {
      const own = { authorization: 'Bearer sk_live_of_bob' }
      const id = await bench.create({ webhook_url: 'https://app.example.com/hook' }, own)
      await bench.sim.clock.runUntilIdle()
      return bench.sim.control.tasks.test(id)
    },
    (text) => text.replace('wrong_signature', 'lost'),
  ),
  main(
    'a task that still runs',
    {},
    async (bench) => {
      const id = await bench.create()
      await bench.sim.clock.advance('1s')
      return bench.sim.control.tasks.test(id)
    },
    withScenario("'instant'"),
  ),
  main(
    'a task in a sandbox, after a patch of the scenario',
    { scenario: half },
    async (bench) => {
      const sandbox = await bench.sim.control.sandboxes.create({ name: 'one' })
      const control = bench.sim.control.sandboxes.control(sandbox.id)
      await control.scenario.patch({ kinds: { image: { price: { per_task: 0.07 } } } })
      await bench.create({}, { authorization: `Bearer ${sandbox.api_key}` })
      await control.clock.runUntilIdle()
      const [task] = (await control.tasks.list()).data
      return control.tasks.test(task?.id ?? '')
    },
    (text) => text.replace(/outcome=\w+ /, 'outcome=canceled '),
  ),
]

const sent =
  (...request: Parameters<Bench['send']>) =>
  async (bench: Bench) => {
    await bench.send(...request)
    return bench.testOfRequest()
  }
const keys = parseScenario('auth: { keys: [sk_live_local, { key: sk_live_of_a_poor_one, credits: 0.05 }] }\n')
const expiry = parseScenario('outputs: { lifetime: 1h }\n')
const limited = parseScenario(
  'rate_limits: [{ name: creations, operation: tasks.create, requests: 3, per: 1m }]\n',
)
const faults = parseScenario(`faults:
  - { name: busy, when: { operation: tasks.retrieve, nth: 3 }, then: { status: 503, retry_after: 5s } }
  - { name: slow, when: { operation: tasks.list }, then: { delay: 3s, status: 500 } }
  - { name: gone, when: { operation: tasks.create, model: lost }, then: lost }
  - { name: silent, when: { operation: tasks.create, model: silent }, then: hang }
  - { name: short, when: { operation: tasks.create, model: short }, then: cut }
`)
const statusMayBe = (text: string) => text.replace(/toBe\(\d+\)/, 'toBe(299)')

/** Tests of requests, with each kind of refusal. */
export const REQUESTS: readonly Case[] = [
  main('a request without a key', {}, sent('POST', PATH, IMAGE, { authorization: '' }), statusMayBe),
  main(
    'a request with a wrong key',
    { scenario: keys },
    sent('POST', PATH, IMAGE, { authorization: 'Bearer sk_unknown_of_mine' }),
  ),
  main('an invalid field', {}, sent('POST', PATH, { ...IMAGE, webhook_url: 7 }), statusMayBe),
  main('an invalid input', {}, sent('POST', PATH, { ...IMAGE, input: { prompt: 7 } }), statusMayBe),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text must survive in a template
  main('invalid JSON', {}, sent('POST', PATH, '{"a": `${1}'), statusMayBe),
  main('an unknown task', {}, sent('GET', `${PATH}/none`), statusMayBe),
  main('an unknown path', {}, sent('GET', '/api/v1/none'), statusMayBe),
  main('a wrong method', {}, sent('DELETE', PATH), statusMayBe),
  main('an answered request', {}, sent('GET', PATH), statusMayBe),
  main(
    'a task that cannot be canceled any more',
    {},
    async (bench) => {
      const id = await bench.create()
      await bench.sim.clock.runUntilIdle()
      await bench.send('POST', `${PATH}/${id}/cancel`)
      return bench.testOfRequest()
    },
    withScenario("{ defaults: { delay: '300d' } }"),
  ),
  main('a request beyond a rate limit', { scenario: limited }, async (bench) => {
    for (let count = 1; count <= 4; count++) await bench.create({ input: { prompt: `number ${count}` } })
    return bench.testOfRequest()
  }),
  main(
    'a request beyond the capacity',
    { scenario: parseScenario('capacity: { running: 1, queued: 1 }\n') },
    async (bench) => {
      for (let count = 1; count <= 3; count++) await bench.create()
      return bench.testOfRequest()
    },
  ),
  main('a request without credits', { scenario: keys }, async (bench) => {
    const own = { authorization: 'Bearer sk_live_of_a_poor_one' }
    for (let count = 1; count <= 9; count++) {
      await bench.create({}, { ...own, 'x-sim': 'cost=0.02' })
      await bench.sim.clock.runUntilIdle()
    }
    return bench.testOfRequest()
  }),
  main('the third poll of a task, with a fault', { scenario: faults }, async (bench) => {
    const id = await bench.create()
    for (let count = 1; count <= 3; count++) await bench.send('GET', `${PATH}/${id}`)
    return bench.testOfRequest()
  }),
  main('a slow fault', { scenario: faults }, async (bench) => {
    const sending = bench.send('GET', PATH)
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
    await bench.sim.clock.advance('3s')
    await sending
    return bench.testOfRequest()
  }),
  main('a lost answer', { scenario: faults }, sent('POST', PATH, { ...IMAGE, model: 'lost' })),
  main('an answer that is cut off', { scenario: faults }, sent('POST', PATH, { ...IMAGE, model: 'short' })),
  main('a fault of a directive', {}, sent('POST', PATH, IMAGE, { 'x-sim': 'fault=500' }), (text) =>
    text.replace('fault=500', 'fault=502'),
  ),
  main('a file whose URL has expired', { scenario: expiry }, async (bench) => {
    const url = await fileOf(bench)
    await bench.sim.clock.advance('2h')
    await bench.send('GET', url, undefined, { authorization: '' })
    return bench.testOfRequest()
  }),
  main(
    'a file whose URL was changed',
    {},
    async (bench) => {
      await bench.send('GET', `${await fileOf(bench)}0`, undefined, { authorization: '' })
      return bench.testOfRequest()
    },
    (text) => text.replace('}0`', '}`'),
  ),
  ...Object.entries(ALL_SERVICES).flatMap(
    ([dialect, { invalid, create, body, task, keyHeader = 'authorization' }]): Case[] => [
      {
        name: `a rejected request of ${dialect}`,
        write: () =>
          withBench(dialect, {}, sent('POST', invalid?.path ?? create, invalid?.body ?? { nonsense: true })),
        mutate: statusMayBe,
      },
      {
        name: `a request of ${dialect} without a key`,
        write: () => withBench(dialect, {}, sent('POST', create, body, { [keyHeader]: '' })),
        mutate: statusMayBe,
      },
      {
        name: `a poll of ${dialect} with a fault`,
        write: () =>
          withBench(dialect, {}, async (bench) => {
            const id = await bench.create()
            await bench.send('GET', task(id), undefined, { 'x-sim': 'fault=503' })
            return bench.testOfRequest()
          }),
        mutate: (text) => text.replace('fault=503', 'fault=504'),
      },
    ],
  ),
]

async function fileOf(bench: Bench): Promise<string> {
  const id = await bench.create()
  await bench.sim.clock.advance('1m')
  const { output } = await bench.sim.control.tasks.get(id)
  return String(/https?:[^"]+/.exec(JSON.stringify(output))?.[0])
}

/** Tests of all findings: the stub passes, and a careless client in its place does not. */
export const FINDINGS: readonly Case[] = FINDING_IDS.map((id) => ({
  name: `the finding ${id}`,
  async write() {
    const sim = createSimulator({ clock: 'manual', seed: 7 })
    const text = await sim.control.findingTest(id)
    sim.close()
    return text
  },
  mutate: (text) => (CARELESS[id] === undefined ? text : text.replace(IN_STUB, `  ${CARELESS[id]}\n}\n`)),
}))

const IN_STUB = '  await sim.clock.runUntilIdle()\n}\n'
const POLL =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is code
  "await fetch(`https://api.example.com/api/v1/tasks/${(await sim.control.tasks.list()).data[0]?.id}`, { headers: { authorization: 'Bearer sk_live_local' } })"

/** Clients that make mistakes. */
const CARELESS: Readonly<Record<string, string>> = {
  'polls-too-fast': `for (let polls = 0; polls < 9; polls++) { ${POLL}; await sim.clock.advance(100) }`,
  'polls-after-end': `await sim.clock.runUntilIdle(); for (let polls = 0; polls < 9; polls++) { ${POLL}; await sim.clock.advance('5s') }`,
}
