import { answer } from '../api/answer.js'
import type { ApiRequest } from '../api/exchange.js'
import type { Expectation, Scenario } from '../core/scenario/scenario.js'
import type { JsonObject, JsonValue } from '../core/task/task.js'
import { toMilliseconds } from '../core/time/durations.js'
import { Simulator } from '../simulator.js'

const ORIGIN = 'http://127.0.0.1:4010'

/**
 * Tries out what a scenario expects of itself, each expectation on a simulator of its own with a manual clock.
 * @returns what did not come as expected, a sentence each
 */
export async function checkExpectations(scenario: Scenario): Promise<string[]> {
  const disappointments: string[] = []
  for (const [index, expectation] of scenario.expect.entries()) {
    const found = await check(scenario, expectation)
    disappointments.push(...found.map((text) => `expect[${index}]: ${text}`))
  }
  return disappointments
}

async function check(scenario: Scenario, expectation: Expectation): Promise<string[]> {
  const { create, repeat = 1, at = {}, outcomes, webhooks } = expectation
  const received: string[] = []
  const sim = new Simulator(scenario, {
    clock: 'manual',
    receivers: [{ url: `${ORIGIN}/receiver` }],
    transport: async ({ body }) => {
      received.push(JSON.parse(new TextDecoder().decode(body)).event)
      return 200
    },
  })
  const call = caller(sim, scenario.keys?.[0] ?? 'sk_live_local')
  const tasks = []
  for (let number = 1; number <= repeat; number++) {
    const input = repeat === 1 ? create.input : { ...create.input, variant: number }
    tasks.push(await call('POST', '/api/v1/tasks', { model: create.model, input }))
  }
  const disappointments: string[] = []
  const start = sim.clock.now()
  for (const [time, expected] of inOrder(at)) {
    await sim.clock.advanceTo(start + toMilliseconds(time))
    const task = await call('GET', `/api/v1/tasks/${tasks[0]?.['id']}`)
    disappointments.push(...differences(expected, task, '').map((text) => `at ${time}, ${text}`))
  }
  await sim.clock.runUntilIdle()
  if (outcomes !== undefined) {
    const ended = await Promise.all(tasks.map(({ id }) => call('GET', `/api/v1/tasks/${id}`)))
    disappointments.push(...compareShares(outcomes, ended))
  }
  if (webhooks !== undefined && webhooks.join() !== received.join()) {
    disappointments.push(
      `webhooks: expected ${webhooks.join(', ') || 'none'}, got ${received.join(', ') || 'none'}`,
    )
  }
  return disappointments
}

type Call = (method: string, path: string, body?: JsonObject) => Promise<JsonObject>

function caller(sim: Simulator, key: string): Call {
  return async (method, path, body) => {
    const headers: Record<string, string> = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
    }
    const request: ApiRequest = {
      method,
      path,
      query: '',
      origin: ORIGIN,
      header: (name) => headers[name],
      body: async () => new TextEncoder().encode(JSON.stringify(body)),
    }
    return JSON.parse(String((await answer(sim, request)).body))
  }
}

function inOrder(at: NonNullable<Expectation['at']>): [string, JsonObject][] {
  return Object.entries(at).sort(([a], [b]) => toMilliseconds(a) - toMilliseconds(b))
}

function differences(expected: JsonValue, actual: JsonValue | undefined, path: string): string[] {
  if (expected === null) return actual === undefined || actual === null ? [] : [say(path, 'nothing', actual)]
  if (typeof expected === 'object' && typeof actual === 'object' && actual !== null) {
    return Object.entries(expected).flatMap(([name, inner]) =>
      differences(inner, (actual as JsonObject)[name], path === '' ? name : `${path}.${name}`),
    )
  }
  const pattern = typeof expected === 'string' ? /^\/(.*)\/$/.exec(expected)?.[1] : undefined
  const holds = pattern === undefined ? expected === actual : isFound(pattern, String(actual))
  return holds ? [] : [say(path, JSON.stringify(expected), actual)]
}

/** Whether a pattern is found in a text; one that is no regular expression never is. */
function isFound(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern).test(text)
  } catch {
    return false
  }
}

function say(path: string, expected: string, actual: JsonValue | undefined): string {
  return `${path}: expected ${expected}, got ${JSON.stringify(actual) ?? 'nothing'}`
}

function compareShares(
  expected: NonNullable<Expectation['outcomes']>,
  ended: readonly JsonObject[],
): string[] {
  return Object.entries(expected).flatMap(([status, { min = 0, max = 1 } = {}]) => {
    const share = ended.filter((task) => task['status'] === status).length / ended.length
    return share >= min && share <= max
      ? []
      : [`${status}: expected a share of ${min} to ${max}, got ${share}`]
  })
}
