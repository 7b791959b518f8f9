import type { Dialect } from '../../dialects/dialect.js'
import { createRequest } from '../../dialects/requests/create-request.js'
import { pollRequest } from '../../dialects/requests/poll-request.js'
import type { Destination } from '../../dialects/requests/service-request.js'
import { toMilliseconds, writeDuration } from '../../engine/clock/durations.js'
import type { JsonObject } from '../../engine/json.js'
import type { Bounds } from '../../engine/scenario/delay.js'
import { toDollars } from '../../engine/tasks/pricing.js'
import { durationsOf, isTerminal, type Task } from '../../engine/tasks/task.js'
import { readRejection } from '../../exchange/read-rejection.js'
import { apiKeyFor } from '../../http/api-key.js'
import { percentile } from '../../inspect/statistics.js'
import { buildSimulator, type Simulator } from '../../library/build-simulator.js'
import type { Expectation, Scenario } from '../../scenario/scenario.js'
import { taskIdIn } from '../body-fields.js'
import { compareLists, compareShares, differences } from './compare.js'
import { type Answered, callInProcess, ORIGIN } from './in-process-client.js'
import { RecordingReceiver } from './recording-receiver.js'

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
  const dialect = await sim.dialects.load(expectation.create.dialect ?? sim.dialects.main)
  const answered = await createAll(sim, dialect, expectation, () => receiver.countAnswer())
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
    const { body } = poll === undefined ? NO_TASK : await callInProcess(sim, poll)
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

/** Sends the create requests. */
async function createAll(
  sim: Simulator,
  dialect: Dialect,
  { after, create: { model, ...create }, repeat = 1, same = false, every }: Expectation,
  onAnswer: () => void,
): Promise<Answered[]> {
  const answered: Answered[] = []
  if (after !== undefined) await sim.clock.advance(after)
  for (let number = 1; number <= repeat; number++) {
    if (number > 1 && every !== undefined) await sim.clock.advance(every)
    const input = repeat === 1 || same ? create.input : { ...create.input, variant: number }
    const kind = sim.tasks.factory.planner.kindOf(model, input)
    const wanted = { model, input, kind, webhookUrl: undefined }
    answered.push(await callInProcess(sim, createRequest(dialect, wanted, destinationOf(sim.scenario))))
    onAnswer()
  }
  return answered
}

function destinationOf(scenario: Scenario): Destination {
  return { origin: ORIGIN, key: apiKeyFor(scenario) }
}

function sortByTime(at: NonNullable<Expectation['at']>): [string, JsonObject][] {
  return Object.entries(at).sort(([a], [b]) => toMilliseconds(a) - toMilliseconds(b))
}

/**
 * Reports create requests that were rejected or whose answer was lost, unless the expectation states the statuses of
 * the `answers` or the number of `tasks`.
 */
function unexpectedRejections({ answers, tasks }: Expectation, answered: readonly Answered[]): string[] {
  const rejected = answered.filter(({ status }) => status === undefined || status >= 400)
  if (rejected.length === 0 || answers !== undefined || tasks !== undefined) return []
  const subject = answered.length === 1 ? 'create request was' : 'create requests were'
  const advice = answered.length === 1 ? 'State' : 'Space them out with `every`, or state'
  return [
    `${rejected.length} of ${answered.length} ${subject} rejected: ${reasons(rejected)}. ${advice} the statuses under \`answers\` or the number of \`tasks\``,
  ]
}

/** Counts the rejections by status and code, each with the message of the first one. */
function reasons(rejected: readonly Answered[]): string {
  const byName = new Map<string, { count: number; message: string }>()
  for (const answered of rejected) {
    const { name, message } = reasonOf(answered)
    const known = byName.get(name)
    byName.set(name, { count: (known?.count ?? 0) + 1, message: known?.message ?? message })
  }
  return [...byName].map(([name, { count, message }]) => `${count} with ${name}${message}`).join(', ')
}

function reasonOf({ status, body }: Answered): { name: string; message: string } {
  if (status === undefined) return { name: 'no response', message: '' }
  const { code, message } = readRejection(body)
  const name = code === undefined ? String(status) : `${status} ${code}`
  return { name, message: message === undefined ? '' : ` ("${message}")` }
}

/**
 * Compares the ends of tasks with an expectation.
 * @param tasks one for each create request; undefined for a rejected request, which counts in the shares of outcomes
 * @returns the differences, one sentence each
 */
function compareEnds(
  { outcomes = {}, errors = {}, queueing = {}, processing = {}, cost }: Expectation,
  tasks: readonly (Task | undefined)[],
): string[] {
  const ended = tasks.filter((task): task is Task => task !== undefined && isTerminal(task.status))
  const statuses = tasks.map((task) => task?.status)
  const codes = ended.flatMap(({ error }) => error?.code ?? [])
  const durations = ended.map((task) => durationsOf(task, Infinity))
  return [
    ...compareShares(outcomes, statuses),
    ...compareShares(errors, codes),
    ...comparePercentiles('queueing', queueing, sorted(durations.map(({ queued }) => queued))),
    ...comparePercentiles('processing', processing, sorted(durations.map(({ running }) => running))),
    ...(cost === undefined ? [] : compareCost(cost, ended)),
  ]
}

/** Compares the number of tasks with an expectation. */
function compareCount({ tasks }: Expectation, count: number): string[] {
  if (typeof tasks !== 'object')
    return compareLists('tasks', tasks === undefined ? undefined : [tasks], [count])
  return isWithin(count, tasks) ? [] : [outside('tasks', tasks, count, String)]
}

function comparePercentiles(
  subject: string,
  expected: Readonly<Record<string, Bounds>>,
  values: Float64Array,
): string[] {
  return Object.entries(expected).flatMap(([name, bounds]) => {
    if (values.length === 0) return [`${subject}: expected ${name}, but no task ended`]
    const actual = percentile(values, Number(name.slice(1)))
    return isWithin(actual, bounds) ? [] : [outside(`${subject} ${name}`, bounds, actual, writeDuration)]
  })
}

function compareCost(bounds: Bounds, tasks: readonly Task[]): string[] {
  const costs = tasks.flatMap(({ status, cost = 0 }) => (status === 'succeeded' ? toDollars(cost) : []))
  if (costs.length === 0) return ['cost: expected a cost, but no task succeeded']
  const mean = costs.reduce((sum, each) => sum + each) / costs.length
  return isWithin(mean, bounds) ? [] : [outside('cost', bounds, mean, (dollars) => `$${dollars}`)]
}

function sorted(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort()
}

function isWithin(value: number, { min = -Infinity, max = Infinity }: Bounds): boolean {
  return value >= min && value <= max
}

function outside(
  subject: string,
  { min, max }: Bounds,
  actual: number,
  format: (value: number) => string,
): string {
  const range = [
    ...(min === undefined ? [] : [`at least ${format(min)}`]),
    ...(max === undefined ? [] : [`at most ${format(max)}`]),
  ]
  return `${subject}: expected ${range.join(' and ')}, got ${format(actual)}`
}
