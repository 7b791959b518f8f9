import { writeDuration } from '../engine/clock/durations.js'
import type { ArmedDeviation } from '../engine/exploration/armed-deviation.js'
import { type Place, type RequestPlace, readPlace, writePlace } from '../engine/exploration/place.js'
import type { JsonObject, JsonValue } from '../engine/json.js'
import { FAULT_STATUSES, FAULT_WORDS, type Fault } from '../engine/requests/fault.js'
import { type OperationName, SERVICE_OPERATIONS } from '../engine/requests/operations.js'
import { DEFAULT_TASK_ERROR } from '../engine/tasks/task.js'
import { WEBHOOK_FAULT_WORDS, type WebhookFault } from '../engine/webhooks/faults/webhook-fault.js'
import type { ScenarioInput } from '../scenario/scenario-input.generated.js'
import type { Baseline } from './baseline.js'
import type { PlannedRun } from './plan.js'
import type { TaskFacts } from './run.js'

/** The failure of a run in a scenario, or why a scenario cannot describe it. */
export type Reproduction =
  | { readonly run: string; readonly scenario: ScenarioInput }
  | { readonly run: string; readonly reason: string }

type FaultRule = NonNullable<ScenarioInput['faults']>[number]
type FaultInput = FaultRule['then']
type WebhookFaultRule = NonNullable<NonNullable<ScenarioInput['webhooks']>['faults']>[number]

/** Writes the failure of one of several runs as a scenario: of the first one, if possible. */
export function reproductionOfAny(
  [run = '', ...others]: readonly string[],
  planned: ReadonlyMap<string, PlannedRun>,
  baseline: Baseline,
): Reproduction {
  const of = (id: string) => reproductionOf(planned.get(id) ?? { id, deviations: [] }, baseline)
  const first = of(run)
  return 'scenario' in first ? first : (others.map(of).find((other) => 'scenario' in other) ?? first)
}

/** Writes the failure of a run as a scenario, for the same client. */
export function reproductionOf({ id: run, deviations }: PlannedRun, baseline: Baseline): Reproduction {
  const [deviation, second] = deviations
  if (deviation === undefined || second !== undefined) return { run, reason: SECOND }
  const place = readPlace(deviation.place)
  const written = place === undefined ? SECOND : write(deviation.armed, place, baseline)
  return typeof written === 'string' ? { run, reason: written } : { run, scenario: written }
}

const SECOND =
  'The second failure applies to a request that exists only because of the first one. A scenario cannot choose it.'
const SAME =
  'The client orders several tasks with the same model and input. A scenario cannot choose one of them by its polls or files.'
const OTHER_INPUT =
  'The input of the task differs from run to run. A scenario chooses a task by its model and input.'
const LATER =
  'The service rejects each request from this one on. A scenario cannot begin that at a state of a task, or at one of several files.'
const RENEWED =
  'The URL stays expired until the client retrieves the task again. A scenario cannot end a fault there.'
const LISTS = 'A scenario cannot choose a list by the status of the tasks in it.'
const STATUS = `A fault of a scenario has a status from ${FAULT_STATUSES.min} to ${FAULT_STATUSES.max}.`
const FILES = 'A scenario cannot change the number of files that the client orders.'
const LISTED =
  'The client reads the task in a list. A fault of a scenario does not change the tasks in a list.'
const NULLS = 'A fault of a scenario can remove a field of an answer, but cannot set it to null.'
const OUTAGE = 'The outage begins with a request. A scenario can only begin it at a time.'

function write(armed: ArmedDeviation, place: Place, baseline: Baseline): ScenarioInput | string {
  switch (place.type) {
    case 'service':
      return outage(armed, place.from, baseline)
    case 'webhook':
      return deliveryOf(armed, place, baseline)
    case 'task':
      return armed.plan === undefined
        ? changed(armed, place.task, baseline)
        : course(armed, place.task, baseline)
    default:
      return request(armed, place, baseline)
  }
}

/** A fault of one request. */
function request(
  { id: name, fault = {}, repeats }: ArmedDeviation,
  place: Extract<Place, { type: 'request' | 'file' }>,
  baseline: Baseline,
): ScenarioInput | string {
  if (repeats === 'until_renewed') return RENEWED
  const then = faultInput(fault)
  const first = place.type === 'file' ? fileAt(place, baseline) : requestAt(place, baseline)
  const when = repeats === 'always' && typeof first !== 'string' ? fromOn(first, place, baseline) : first
  if (then === undefined) return STATUS
  return typeof when === 'string' ? when : { faults: [{ name, when, then }] }
}

/** The conditions for a request and its repetitions. */
function fromOn(
  { nth, task_status, ...others }: FirstRequest,
  place: Extract<Place, { type: 'request' | 'file' }>,
  { places }: Baseline,
): FirstRequest | string {
  const alike = places.filter((each) =>
    place.type === 'file'
      ? each.place.type === 'file' && each.place.task === place.task
      : each.place.type === 'request' &&
        each.place.operation === place.operation &&
        each.place.number === place.number,
  )
  if (place.type === 'request' && task_status === undefined)
    return { ...others, nth: { min: typeof nth === 'number' ? nth : 1 } }
  const isFirst = alike[0]?.id === writePlace(place) && (place.type === 'request' || alike.length === 1)
  if (isFirst) return others
  return task_status === 'succeeded' ? { ...others, task_status } : LATER
}

type FirstRequest = NonNullable<FaultRule['when']>

function requestAt(place: RequestPlace, baseline: Baseline): NonNullable<FaultRule['when']> | string {
  const { operation, number, shows } = place
  if (operation === 'tasks.list') {
    const [first] = baseline.places.filter((each) => isAbout(each.place, 'tasks.list'))
    return first?.place.type === 'request' && first.place.shows === shows ? { operation, nth: 1 } : LISTS
  }
  if (shows === undefined && operation !== 'tasks.create') return { operation, nth: Number(number ?? 1) }
  const task = taskAt(number, baseline)
  if (typeof task === 'string') return task
  if (operation === 'tasks.create') return { operation, ...task.conditions, nth: task.nth }
  if (task.isOneOfSeveral) return SAME
  return { operation, ...task.conditions, task_status: shows as 'succeeded', nth: 1 }
}

function fileAt(
  { task: number, file }: Extract<Place, { type: 'file' }>,
  baseline: Baseline,
): NonNullable<FaultRule['when']> | string {
  const task = taskAt(number, baseline)
  if (typeof task === 'string') return task
  if (task.isOneOfSeveral) return SAME
  const files = baseline.places.flatMap(({ place }) =>
    place.type === 'file' && place.task === number ? [place.file] : [],
  )
  return { operation: 'files.download', ...task.conditions, nth: files.indexOf(file) + 1 }
}

/** A fault of the whole service, if it begins with a request that a scenario can count. */
function outage(
  { id: name, fault = {}, lasts }: ArmedDeviation,
  from: RequestPlace,
  { places }: Baseline,
): ScenarioInput | string {
  const then = faultInput(fault)
  const requests = places.filter(({ place }) => place.type === 'request' || place.type === 'file')
  const first = requests.findIndex(({ place }) => place.type === 'request' && isSame(place, from))
  // Each of these operations is one place for each request; polls that show the same status share a place.
  const areCounted = requests
    .slice(0, first)
    .every(({ place }) => isAbout(place, 'tasks.create', 'files.upload'))
  if (then === undefined || !areCounted || (first > 0 && lasts !== undefined)) return OUTAGE
  const when = {
    operation: [...SERVICE_OPERATIONS] as OperationName[],
    ...(first > 0 && { nth: { min: first + 1 } }),
    ...(lasts !== undefined && { window: { to: writeDuration(lasts) } }),
  }
  return { faults: [{ name, when, then }] }
}

function deliveryOf(
  { id: name, webhook = {} }: ArmedDeviation,
  { event, task: number }: Extract<Place, { type: 'webhook' }>,
  baseline: Baseline,
): ScenarioInput | string {
  const task = taskAt(number, baseline)
  if (typeof task === 'string') return task
  const then = webhookInput(webhook)
  return { webhooks: { faults: [{ name, when: { event, ...task.conditions, nth: task.nth }, then }] } }
}

/** Another course of a task. */
function course(
  { id: name, plan = {} }: ArmedDeviation,
  number: string,
  baseline: Baseline,
): ScenarioInput | string {
  const { outcome, error, slower, files } = plan
  if (files !== undefined) return FILES
  if (baseline.ignoresInput) return OTHER_INPUT
  const task = taskAt(number, baseline)
  if (typeof task === 'string') return task
  const { duration } = baseline.places.find(({ id }) => id === `task#${number}`)?.traits ?? {}
  const when = { ...task.conditions, occurrence: task.occurrence }
  if (slower !== undefined)
    return duration === undefined ? SLOWER : rules(name, when, { delay: writeDuration(slower * duration) })
  const isFailure = outcome === 'failed' && error !== undefined
  return rules(name, when, { outcome, ...(isFailure && { error: { ...DEFAULT_TASK_ERROR, ...error } }) })
}

const SLOWER = 'The polls decide how long the task takes, so a scenario cannot let it take longer.'

type Rule = NonNullable<ScenarioInput['rules']>[number]

function rules(name: string, when: Rule['when'], then: Rule['then']): ScenarioInput {
  return { rules: [{ name, when, then }] }
}

/** The operations whose answers show a task. */
const READS = ['tasks.retrieve', 'tasks.result'] as const

/** Other fields of a succeeded task, in answers and in webhooks. */
function changed(
  { id: name, changes = {} }: ArmedDeviation,
  number: string,
  baseline: Baseline,
): ScenarioInput | string {
  if (Object.values(changes).includes(null)) return NULLS
  const task = taskAt(number, baseline)
  if (typeof task === 'string') return task
  if (task.isOneOfSeveral) return SAME
  if (baseline.places.some(({ place }) => isAbout(place, 'tasks.list'))) return LISTED
  const patch: JsonObject = Object.fromEntries(
    Object.entries(changes).map(([field, value = null]: [string, JsonValue | undefined]) => [field, value]),
  )
  const sendsWebhooks = baseline.places.some(({ place }) => place.type === 'webhook')
  const isRead = baseline.places.some(({ place }) => isAbout(place, ...READS))
  // A create request that waits for the end shows the task before any other answer.
  const answers: FaultRule['when'] =
    isRead || sendsWebhooks
      ? { operation: [...READS], task_status: 'succeeded' }
      : { operation: 'tasks.create' }
  const event = 'task.succeeded'
  const webhook: WebhookFaultRule = { name, when: { event, ...task.conditions }, then: { patch } }
  return {
    faults: [{ name, when: { ...answers, ...task.conditions }, then: { patch } }],
    ...(sendsWebhooks && { webhooks: { faults: [webhook] } }),
  }
}

/** How a scenario chooses a task among those of the baseline. */
interface ChosenTask {
  readonly conditions: { readonly model?: string; readonly input?: Record<string, string | number | boolean> }
  /** Its number among the tasks that meet the conditions. */
  readonly nth: number
  /** Its number among those with the same model and input. */
  readonly occurrence: number
  readonly isOneOfSeveral: boolean
}

function taskAt(number: string | undefined, { run, ignoresInput }: Baseline): ChosenTask | string {
  const tasks = [...run.facts.tasks].sort((a, b) => Number(a.number) - Number(b.number))
  const task = tasks.find((each) => each.number === number)
  if (task === undefined) return SECOND
  const alike = tasks.filter(({ model }) => model === task.model)
  const input = ignoresInput ? {} : distinguishing(task, alike)
  const equal = alike.filter((each) =>
    Object.entries(input).every(([path, value]) => each.input[path] === value),
  )
  return {
    conditions: {
      ...(alike.length < tasks.length && { model: task.model }),
      ...(Object.keys(input).length > 0 && { input }),
    },
    nth: equal.indexOf(task) + 1,
    occurrence: tasks.filter(({ order }) => order === task.order).indexOf(task) + 1,
    isOneOfSeveral: equal.length > 1,
  }
}

/** The fields of an input in which it differs from others. A URL may differ from run to run. */
function distinguishing(
  { input }: TaskFacts,
  others: readonly TaskFacts[],
): Record<string, string | number | boolean> {
  const fields = Object.entries(input).flatMap(([name, value]) => {
    const isPlain = typeof value === 'string' ? !/^https?:/.test(value) : typeof value !== 'object'
    return isPlain && others.some((other) => other.input[name] !== value)
      ? [[name, value as string | number | boolean] as const]
      : []
  })
  return Object.fromEntries(fields)
}

function isAbout(place: Place, ...operations: readonly OperationName[]): boolean {
  return place.type === 'request' && operations.includes(place.operation)
}

function isSame(one: RequestPlace, other: RequestPlace): boolean {
  return one.operation === other.operation && one.number === other.number && one.shows === other.shows
}

/** A fault as a scenario writes it: by its word, if it has one. */
function faultInput({ delay, retry_after: wait, status, ...fault }: Fault): FaultInput | undefined {
  if (status !== undefined && status < FAULT_STATUSES.min) return undefined
  const whole = {
    ...(status !== undefined && { status }),
    ...fault,
    ...(typeof delay === 'number' && { delay: writeDuration(delay) }),
    ...(typeof wait === 'number' && { retry_after: writeDuration(wait) }),
  }
  const isOnlyStatus = status !== undefined && Object.keys(whole).length === 1
  return isOnlyStatus ? status : (wordOf(FAULT_WORDS, whole) ?? (whole as FaultInput))
}

function webhookInput(fault: WebhookFault): WebhookFaultRule['then'] {
  return wordOf(WEBHOOK_FAULT_WORDS, fault) ?? (fault as WebhookFaultRule['then'])
}

/** The word that stands for a fault. */
function wordOf<Word extends string>(
  words: Readonly<Record<Word, unknown>>,
  fault: object,
): Word | undefined {
  const keyOf = (value: unknown) => JSON.stringify(Object.entries(Object(value)).sort())
  return (Object.keys(words) as Word[]).find((word) => keyOf(words[word]) === keyOf(fault))
}
