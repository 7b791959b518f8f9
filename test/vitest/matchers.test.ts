import { getResponse } from 'msw'
import { expect, it } from 'vitest'
import { UsageError } from '../../src/engine/errors.js'
import { handlers } from '../../src/hosts/msw/index.js'
import type { Simulator } from '../../src/index.js'
import '../../src/vitest/index.js'
import { create, simulate } from '../support/simulations.js'
import { aTask } from '../support/tasks.js'

const SUCCEEDED = { id: 'task_1', model: 'acme/image-1', status: 'succeeded', cost_usd: 0.04 }
const FAILED = {
  id: 'task_2',
  status: 'failed',
  error: { code: 'content_policy', message: 'No.' },
  cost_usd: 0,
}

/** Returns the message of a failed assertion. */
function complaint(assertion: () => void): string {
  try {
    assertion()
  } catch (error) {
    return (error as Error).message
  }
  throw new Error('The assertion holds')
}

it('the matcher recognizes a task that has succeeded, in the form of the API and of the simulator', () => {
  expect(SUCCEEDED).toHaveSucceeded()
  expect(aTask({ status: 'succeeded' })).toHaveSucceeded()
  expect(FAILED).not.toHaveSucceeded()
  expect(aTask()).not.toHaveSucceeded()
})

it('the matcher recognizes a task that has failed, and its error', () => {
  expect(FAILED).toHaveFailed()
  expect(FAILED).toHaveFailed('content_policy')
  expect(FAILED).toHaveFailed(/^content/)
  expect(FAILED).not.toHaveFailed('internal_error')
  expect(SUCCEEDED).not.toHaveFailed()
})

it('the matcher recognizes the cost of a task', () => {
  expect(SUCCEEDED).toHaveCost(0.04)
  expect(SUCCEEDED).not.toHaveCost(0.05)
  expect(FAILED).toHaveCost(0)
  expect(aTask({ status: 'succeeded', cost: 120_000 })).toHaveCost(0.12)
  expect({ status: 'processing' }).not.toHaveCost(0)
})

it('the matcher recognizes all tasks of a simulator', async () => {
  const sim = simulate({ scenario: { defaults: { delay: '1s', price: { per_task: 0.1 } } } })
  expect(sim).not.toHaveSucceeded()
  await create(sim)
  await create(sim)
  expect(sim).not.toHaveSucceeded()
  expect(sim).toHaveCost(0)
  await sim.clock.advance('1s')
  expect(sim).toHaveSucceeded()
  expect(sim).toHaveCost(0.2)
  await create(sim)
  expect(sim).not.toHaveSucceeded()
})

it('the matcher reports the state of each task', async () => {
  expect(complaint(() => expect(FAILED).toHaveSucceeded())).toBe(
    'expected the task to have succeeded, but\n  task_2 is failed: content_policy: No.',
  )
  expect(complaint(() => expect(SUCCEEDED).not.toHaveSucceeded())).toBe(
    'expected the task not to have succeeded, but\n  task_1 (acme/image-1) is succeeded',
  )
  expect(complaint(() => expect(FAILED).toHaveFailed('internal_error'))).toContain(
    'with "internal_error", but',
  )
  expect(complaint(() => expect(SUCCEEDED).toHaveCost(1))).toBe(
    'expected the task to cost 1 USD, got 0.04 USD',
  )
  expect(complaint(() => expect({ status: 'processing' }).toHaveCost(1))).toBe(
    'expected the task to cost 1 USD, but the task is processing',
  )
  expect(complaint(() => expect(simulate()).toHaveSucceeded())).toBe(
    'expected tasks to have succeeded, but the simulator has no tasks',
  )
})

it.each([undefined, null, 'task_1', 7, {}])(
  'the matcher rejects %j, which is neither a task nor a simulator',
  (received) => {
    expect(complaint(() => expect(received).toHaveSucceeded())).toContain('toHaveSucceeded expects a task')
    expect(complaint(() => expect(received).not.toHaveCost(1))).toContain('toHaveCost expects a task')
    expect(complaint(() => expect(received).toHaveNoFindings())).toContain('expects a simulator')
  },
)

it('the matcher reports findings about the client, except ignored ones', async () => {
  const sim = simulate()
  expect(sim).toHaveNoFindings()
  sim.events.emit('request.answered', {
    ...{
      id: 'req_1',
      at: 0,
      realAt: 0,
      answeredAt: 0,
      method: 'GET',
      path: '/files/task_1/0.png',
      query: '',
      operation: 'files.download',
    },
    ...{ status: 200, delivered: true, retryAfter: undefined, key: '', taskId: 'task_1', fault: undefined },
    ...{ took: 1, note: { hasAuthorization: true } },
  })
  expect(sim).not.toHaveNoFindings()
  expect(sim).toHaveNoFindings({ ignore: ['key-sent-to-file-host'] })
  expect(complaint(() => expect(sim).toHaveNoFindings())).toMatch(
    /no findings about the client, but got 1:\n\n {2}error key-sent-to-file-host: .*\n {4}00:00:00\.000 task_1: GET \/files.*\n {4}Output URLs.*\n {4}Download/,
  )
  expect(complaint(() => expect(simulate()).not.toHaveNoFindings())).toContain('but there are none')
})

const API = 'https://api.example.com/api/v1/tasks'
const HEADERS = { authorization: 'Bearer sk_one', 'content-type': 'application/json' }

async function get(sim: Simulator, url: string, headers: Record<string, string> = HEADERS) {
  const response = await getResponse(handlers(sim), new Request(url, { headers }))
  return response?.json().catch(() => undefined)
}

/** Creates an image, like a client that does nothing else. */
async function order(sim: Simulator): Promise<string> {
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } })
  const request = new Request(API, { method: 'POST', headers: HEADERS, body })
  const response = await getResponse(handlers(sim), request)
  return (await response?.json().catch(() => undefined))?.id
}

/** Creates an image, polls it until it has succeeded, and downloads it. */
async function generate(sim: Simulator) {
  const id = await order(sim)
  for (let poll = 0; poll < 5; poll++) {
    await sim.clock.advance('3s')
    const task = await get(sim, `${API}/${id}`)
    if (task?.status === 'succeeded') return get(sim, task.output.images[0], {})
  }
}

it.each([
  ['has ended', '30s'],
  ['is still running', '0s'],
] as const)(
  'the matcher counts a task that nobody has asked for and that %s, unless the client continues',
  async (_, time) => {
    const sim = simulate()
    await order(sim)
    await sim.clock.advance(time)
    expect(complaint(() => expect(sim).toHaveNoFindings({ strict: true }))).toContain('result-never-learned')
    expect(complaint(() => expect(sim).toHaveNoFindings())).toContain('error result-never-learned')
    expect(sim).toHaveNoFindings({ final: false })
  },
)

const POLL_503 = { name: '503 on a poll', when: { operation: 'tasks.retrieve' }, then: [503] } as const
const LIST_503 = { when: { operation: 'tasks.list' }, then: [503] } as const

it('the matcher fails a strict test whose scenario has a fault that never applied', async () => {
  const sim = simulate({ scenario: { faults: [POLL_503, LIST_503] } })
  await generate(sim)
  expect(sim).toHaveNoFindings()
  expect(complaint(() => expect(sim).toHaveNoFindings({ strict: true }))).toBe(
    'expected the test to test something, but these rules and faults of the scenario never applied:\n' +
      '  faults[1] of inline: 503 for tasks.list\n' +
      'Check their conditions, and whether the client sends such requests. If other tests need them, name those of this test: { strict: [...] }.',
  )
  expect(sim).toHaveNoFindings({ strict: ['503 on a poll'] })
  await get(sim, API)
  expect(sim).toHaveNoFindings({ strict: true })
})

it.each([
  ['a rule', { rules: [{ when: { model: 'acme/video-*' }, then: { outcome: 'failed' } }] }],
  ['a webhook fault', { webhooks: { faults: [{ then: 'lost' }] } }],
  ['everything that the scenario inherits', { extends: 'lost-create-response', findings: { ignore: [] } }],
] as const)('the matcher fails a strict test if %s never applied', async (_, scenario) => {
  const sim = simulate({ scenario })
  await sim.create({ owner: 'sk_one', model: 'acme/image-1', input: {}, webhookUrl: undefined, origin: '' })
  await get(sim, `${API}?limit=1`)
  await sim.clock.advance('10s')
  await get(sim, `${API}?limit=1`)
  const ignore = ['output-never-downloaded']
  expect(sim).toHaveNoFindings({ ignore })
  expect(sim).not.toHaveNoFindings({ ignore, strict: true })
})

it.each([
  ['without rules', {}],
  ['of which one rule applied, if tasksim ships it', 'webhook-forgery'],
  ['whose own rules applied, whatever it inherits', { extends: 'webhook-forgery', faults: [POLL_503] }],
] as const)('the matcher accepts a strict test with a scenario %s', async (_, scenario) => {
  const receivers = [
    { url: 'http://localhost:3000/', handle: () => new Response(null, { status: 401 }), everyTask: true },
  ]
  const sim = simulate({ scenario, receivers })
  await generate(sim)
  expect(sim).toHaveNoFindings({ strict: true, ignore: ['undelivered-webhooks'] })
})

it('the matcher fails a strict test without a client', () => {
  expect(complaint(() => expect(simulate()).toHaveNoFindings({ strict: true }))).toBe(
    'expected the test to test something, but the client sent no request and got no webhook',
  )
})

it('the matcher fails a strict test in which a finding that it names was not observed', async () => {
  const sim = simulate()
  await generate(sim)
  expect(sim).toHaveNoFindings({ strict: ['output-never-downloaded'] })
  expect(complaint(() => expect(sim).toHaveNoFindings({ strict: ['polls-without-end'] }))).toMatch(
    /but these findings were not observed:\n {2}polls-without-end: The client had no occasion .*`stuck`/,
  )
})

it('the matcher rejects the name of a fault that the scenario does not have', async () => {
  const sim = simulate({ scenario: { faults: [POLL_503] } })
  await order(sim)
  expect(complaint(() => expect(sim).toHaveNoFindings({ strict: ['503 on a pol'], final: false }))).toBe(
    'The scenario has no rule or fault "503 on a pol", and there is no such finding: did you mean `503 on a poll`?',
  )
})

it('the matcher rejects an unknown severity or option, with what the caller probably meant', () => {
  const withOptions = (options: object) => complaint(() => expect(simulate()).toHaveNoFindings(options))
  expect(withOptions({ from: 'warn' })).toBe('There is no severity "warn": did you mean `warning`?')
  expect(withOptions({ from: null })).toBe('There is no severity null: expected `error`, `warning` or `note`')
  expect(withOptions({ form: 'note' })).toBe('toHaveNoFindings() has no option `form`: did you mean `from`?')
  expect(withOptions({ ignore: ['poll-too-fast'] })).toBe(
    'There is no finding "poll-too-fast": did you mean `polls-too-fast`?',
  )
  expect(() => expect(simulate()).not.toHaveNoFindings({ from: 'errors' as 'error' })).toThrow(UsageError)
})
