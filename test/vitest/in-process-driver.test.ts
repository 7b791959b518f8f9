import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { ArmedDeviation } from '../../src/engine/exploration/armed-deviation.js'
import type { RunSpec } from '../../src/explore/run.js'
import { type ExploreContext, InProcessDriver } from '../../src/vitest/in-process-driver.js'

const TASKS = 'https://api.example.com/api/v1/tasks'
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
const BODY = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } })
const HOUR = 3_600_000

const create = () => fetch(TASKS, { method: 'POST', headers: HEADERS, body: BODY })

async function generate(): Promise<void> {
  const { id } = await (await create()).json()
  for (;;) {
    const { status } = await (await fetch(`${TASKS}/${id}`, { headers: HEADERS })).json()
    if (status === 'succeeded') return
    if (status === 'failed') throw new Error('The task failed.')
    await sleep(30_000)
  }
}

function run(client: (context: ExploreContext) => unknown, deviation?: Omit<ArmedDeviation, 'id'>) {
  const armed = deviation && { id: 'one', ...deviation }
  const spec: RunSpec = {
    id: 'one',
    deviations: armed ? [{ place: armed.place, word: 'one', class: 'transient', armed, delays: 0 }] : [],
    orders: undefined,
    ignoresInput: false,
    patience: HOUR,
  }
  return new InProcessDriver({}, client).run(spec)
}

it('a function that resolves is a success, with the places that it reached', async () => {
  const { end, facts } = await run(generate)
  expect(end).toEqual({ type: 'success' })
  expect(facts.places.map(({ id }) => id)).toContain('tasks.retrieve#1.succeeded')
})

it('a function that rejects is a failure', async () => {
  const { end } = await run(generate, {
    place: 'task#1',
    plan: { outcome: 'failed', error: { code: 'timeout' } },
  })
  expect(end).toEqual({ type: 'failure', message: 'Error: The task failed.' })
})

it('a rejection that nobody handles is a crash, and fails nothing else', async () => {
  const { end } = await run(async () => {
    void Promise.reject(new Error('Nobody handles this.'))
    await generate()
  })
  expect(end).toEqual({ type: 'crash', message: 'Error: Nobody handles this.' })
})

it.each([
  ['polls a stuck task for ever', generate, { place: 'task#1', plan: { outcome: 'stuck' } }],
  ['waits for an answer without a time limit', generate, { place: 'tasks.create#1', fault: { hang: true } }],
  ['waits for nothing', () => new Promise(() => {}), undefined],
] as const)('a function that %s hangs', async (_, client, deviation) => {
  const { end } = await run(client, deviation as Omit<ArmedDeviation, 'id'> | undefined)
  expect(end).toEqual({ type: 'hang', message: 'It made no progress for 1h on the clock.' })
})

it('a function that asks again without waiting hangs', async () => {
  const { end } = await run(async () => {
    for (;;) await fetch(TASKS, { headers: HEADERS })
  })
  expect(end).toMatchObject({
    type: 'hang',
    message: 'It sent 1000 requests at one instant of the clock without any progress.',
  })
})

it('an abandoned function does nothing in later runs', async () => {
  const done: string[] = []
  const leave = async () => {
    void create().then(async () => {
      await sleep(1_000)
      done.push('timer')
    })
    void sleep(60_000).then(() => done.push('later timer'))
    void (async () => {
      await new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))))
      await create()
      done.push('late request')
    })()
    throw new Error('The first of several failed.')
  }
  expect((await run(leave)).end.type).toBe('failure')
  const { facts } = await run(generate)
  expect(facts.tasks).toHaveLength(1)
  expect(done).toEqual([])
})
