import { buildSimulator, type Simulator } from '../../build-simulator.js'
import type { Dialect } from '../../dialects/dialect.js'
import { createRequest } from '../../dialects/requests/create-request.js'
import { pollRequest } from '../../dialects/requests/poll-request.js'
import type { Destination } from '../../dialects/requests/service-request.js'
import { toMilliseconds } from '../../engine/clock/durations.js'
import type { JsonObject } from '../../engine/json.js'
import { apiKeyFor } from '../../http/api-key.js'
import type { Expectation } from '../../scenario/model/layer.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import { taskIdIn } from '../body-fields.js'
import { compareLists, differences } from './compare.js'
import { compareCount, compareEnds } from './compare-ends.js'
import { type Answered, InProcessClient, ORIGIN } from './in-process-client.js'
import { RecordingReceiver } from './recording-receiver.js'
import { unexpectedRejections } from './unexpected-rejections.js'

/**
 * Runs each expectation of a scenario on a new simulator with a manual clock.
 * @returns the unmet expectations, one sentence each
 */
export async function checkExpectations(scenario: Scenario): Promise<string[]> {
  const failures: string[] = []
  for (const [index, expectation] of scenario.expect.entries()) {
    const found = await check(scenario, expectation)
    failures.push(...found.map((text) => `expect[${index}]: ${text}`))
  }
  return failures
}

async function check(scenario: Scenario, expectation: Expectation): Promise<string[]> {
  const receiver = new RecordingReceiver()
  const sim = buildSimulator(scenario, {
    clock: 'manual',
    receivers: [`${ORIGIN}/receiver`],
    transport: receiver.transport,
  })
  const client = new InProcessClient(sim)
  const dialect = await sim.dialects.load(expectation.create.dialect ?? sim.dialects.main)
  const answered = await createAll({ sim, client, dialect, receiver }, expectation)
  const statuses = answered.map(({ status }) => status ?? 'none')
  const failures = [
    ...unexpectedRejections(expectation, answered),
    ...compareLists('answers', expectation.answers, statuses),
  ]
  const ids = answered.map(({ body }) => taskIdIn(body, dialect))
  const first = ids.find((id) => id !== undefined)
  const start = sim.clock.now()
  for (const [time, expected] of sortByTime(expectation.at ?? {})) {
    await sim.clock.advanceTo(start + toMilliseconds(time))
    const task = first === undefined ? undefined : sim.tasks.get(first)
    const poll = task && pollRequest(dialect, task, destinationOf(scenario))
    const { body } = poll === undefined ? NO_TASK : await client.call(poll)
    failures.push(...differences(expected, body, '').map((text) => `at ${time}, ${text}`))
  }
  await sim.clock.runUntilIdle()
  const ended = ids.map((id) => (id === undefined ? undefined : sim.tasks.get(id)))
  failures.push(...compareEnds(expectation, ended), ...compareCount(expectation, sim.counters.created))
  failures.push(...(await receiver.compare(expectation.webhooks, dialect, scenario)))
  return failures
}

/** The response for a task that was not created. */
const NO_TASK = { body: {} }

/** The parts of a check. */
interface Bench {
  readonly sim: Simulator
  readonly client: InProcessClient
  readonly dialect: Dialect
  readonly receiver: RecordingReceiver
}

/** Sends the create requests. */
async function createAll(
  { sim, client, dialect, receiver }: Bench,
  { after, create: { model, ...create }, repeat = 1, same = false, every }: Expectation,
): Promise<Answered[]> {
  const answered: Answered[] = []
  if (after !== undefined) await sim.clock.advance(after)
  for (let number = 1; number <= repeat; number++) {
    if (number > 1 && every !== undefined) await sim.clock.advance(every)
    const input = repeat === 1 || same ? create.input : { ...create.input, variant: number }
    const kind = sim.tasks.planner.kindOf(model, input)
    const wanted = { model, input, kind, webhookUrl: undefined }
    answered.push(await client.call(createRequest(dialect, wanted, destinationOf(sim.scenario))))
    receiver.countAnswer()
  }
  return answered
}

function destinationOf(scenario: Scenario): Destination {
  return { origin: ORIGIN, key: apiKeyFor(scenario) }
}

function sortByTime(at: NonNullable<Expectation['at']>): [string, JsonObject][] {
  return Object.entries(at).sort(([a], [b]) => toMilliseconds(a) - toMilliseconds(b))
}
