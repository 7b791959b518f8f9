import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { exploreInProcess, failureOf } from '../../src/vitest/explore.js'
import { explore } from '../../src/vitest/index.js'

const TASKS = 'https://api.example.com/api/v1/tasks'
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
const ORDER = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } })

/** Retries every request, also a create request. */
async function insist(url: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  for (let attempt = 1; ; attempt++) {
    const signal = AbortSignal.timeout(60_000)
    const response = await fetch(url, { headers: HEADERS, signal, ...init }).catch(() => undefined)
    const body = response?.ok ? await response.json().catch(() => undefined) : undefined
    if (body !== undefined) return body
    const status = response?.status ?? 0
    if (attempt > 7 || (status >= 400 && status < 500 && status !== 429))
      throw new Error(`No answer: ${status}.`)
    await sleep(Number(response?.headers.get('retry-after') ?? 2 ** attempt) * 1_000)
  }
}

async function generate(order: () => string = () => ORDER): Promise<void> {
  const { id } = await insist(TASKS, { method: 'POST', body: order() })
  for (let polls = 0; polls < 100; polls++) {
    const { status, output } = await insist(`${TASKS}/${id}`)
    if (status === 'succeeded' && output !== undefined) return
    if (status === 'failed' || status === 'canceled') throw new Error(`The task has ${status}.`)
    await sleep(5_000)
  }
  throw new Error('The task has not ended in time.')
}

explore('a client that recovers passes', { places: ['tasks.retrieve', 'task'] }, () => generate())

explore(
  'a result that the options expect passes',
  {
    places: ['tasks.create'],
    deviations: ['lost'],
    expectations: [
      { place: 'tasks.create#1', deviation: 'lost', expect: 'paid_twice', because: 'It is a test.' },
    ],
  },
  () => generate(),
)

describe('a problem', () => {
  const explored = (failing: { only?: string[] } = {}) =>
    exploreInProcess(
      'blind retries',
      { places: ['tasks.create'], deviations: ['lost', '503'], ...failing },
      () => generate(),
    )

  it('fails the test with the id of its run, and with the option that repeats it', async () => {
    const report = await explored()
    expect(failureOf(report)?.message).toMatch(/error paid_twice {2}tasks\.create: lost \(1 run\)/)
    expect(failureOf(report)?.message).toContain("only: ['tasks.create#1:lost']")
    expect(report.runs.map(({ id, result }) => `${id} ${result}`)).toEqual([
      'tasks.create#1:503 recovered',
      'tasks.create#1:lost paid_twice',
    ])
  })

  it('is found again by a repetition of its run alone', async () => {
    const { runs } = await explored({ only: ['tasks.create#1:lost'] })
    expect(runs.map(({ result }) => result)).toEqual(['paid_twice'])
  })

  it('below the severity of the option does not fail the test', async () => {
    expect(failureOf(await explored(), 'never')).toBeUndefined()
  })
})

it('an input that is new in each run makes no task a second one, and hides none', async () => {
  const order = () =>
    JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves', reference: crypto.randomUUID() } })
  const { runs, remarks } = await exploreInProcess('references', { deviations: ['lost', '503'] }, () =>
    generate(order),
  )
  expect(remarks.join(' ')).toContain('The inputs of the tasks differ from run to run')
  expect(runs.map(({ id, result }) => `${id} ${result}`)).toEqual([
    'tasks.create#1:503 recovered',
    'tasks.create#1:lost paid_twice',
    'tasks.retrieve#1.processing:503 recovered',
    'tasks.retrieve#1.succeeded:503 recovered',
  ])
})

it('an unknown option is refused', () => {
  expect(() => explore('one', { deviation: ['lost'] } as object, () => generate())).toThrow('`deviation`')
})
