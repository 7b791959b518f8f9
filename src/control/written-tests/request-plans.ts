import type { Dialect } from '../../dialects/dialect.js'
import { writeDirective } from '../../engine/directive/directive.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import type { Task } from '../../engine/tasks/task.js'
import { DEFAULT_IN_FORCE, type ScenarioInForce } from './scenario-in-force.js'
import { createAgain, type PlannedRequest, repeat, type Step, type TestPlan } from './test-plan.js'

/** What plans of one request share. */
export interface RequestPlanParts {
  readonly request: AnsweredRequest
  readonly dialect: Dialect | undefined
  readonly seed: string
  /** The task that the request names, with the earlier requests about it; undefined if there is none. */
  readonly about: TaskHistory | undefined
  /** The earlier requests of the same client, oldest first. */
  readonly earlier: readonly AnsweredRequest[]
}

/** A task, and the requests that changed it before another request. */
export interface TaskHistory {
  readonly task: Task
  readonly requests: readonly AnsweredRequest[]
}

/** The most requests that a test sends until one gets the answer. */
const MAX_REPEATED = 300

/**
 * The plans to try, the simplest first: the request alone, after its task was created, again and again, after other
 * requests, and with a directive for its fault. The last step has the request.
 */
export function requestPlans(parts: RequestPlanParts, given: ScenarioInForce | undefined): TestPlan[] {
  const { request, dialect, seed, about } = parts
  const { scenario, key } = given ?? DEFAULT_IN_FORCE
  const shared = { seed, dialect: dialect?.name ?? 'tasks', answers: [], receivers: [], notes: [], scenario }
  const send = { type: 'send', request: repeat(request, dialect, { key, taskId: about?.task.id }) } as const
  const alone = { type: 'send', request: repeat(request, dialect, { key }) } as const
  const before = about === undefined ? [] : historyOf(parts, about, key)
  const again = { ...send, times: MAX_REPEATED }
  const file = request.note.file ?? fileIn(request.path)
  const isDownload = request.operation === 'files.download' && about !== undefined
  const directed = directedSteps(parts, send.request, before)
  const candidates: Step[][] = [
    ...(isDownload ? downloads(before, file, request, about.task) : []),
    [alone],
    ...(about === undefined ? [] : [[...before, send]]),
    [...before, again],
    [...before, { ...again, ends: true }],
    [...earlierSteps(parts, key), send],
    ...directed,
  ]
  return [
    ...candidates.map((steps) => ({ ...shared, steps })),
    ...directed.map((steps) => ({ ...shared, scenario: DEFAULT_IN_FORCE.scenario, steps })),
  ]
}

/** The creation of the task of a request, and what changed the task before the request. */
function historyOf(
  { request, dialect }: RequestPlanParts,
  { task, requests }: TaskHistory,
  key: string,
): Step[] {
  if (dialect === undefined) return []
  return [
    { type: 'send', request: createAgain(dialect, task, key) },
    ...inTime(requests, { from: task.createdAt, to: request.at }, (each) =>
      repeat(each, dialect, { key, taskId: task.id }),
    ),
  ]
}

/** A download has a signed URL, which depends on the task of the test. */
function downloads(before: Step[], file: number, { at }: AnsweredRequest, { createdAt }: Task): Step[][] {
  const [create] = before
  if (create === undefined) return []
  const advance = { type: 'advance', ms: at - createdAt } as const
  const download = (isAltered: boolean) => ({ type: 'download', file, isAltered }) as const
  const timed = at > createdAt ? [create, advance] : [create]
  const kept: Step[] = [
    create,
    { type: 'idle' },
    { type: 'keep' },
    advance,
    { type: 'download', file, isAltered: false },
  ]
  return [[...timed, download(false)], kept, [...timed, download(true)]]
}

/** The position of an output file, from 0, as in `/files/task_1/0.png`. */
function fileIn(path: string): number {
  return Number(/\/(\d+)\.\w+$/.exec(path)?.[1] ?? 0)
}

/** The earlier requests of the client, at their times. */
function earlierSteps({ request, dialect, earlier }: RequestPlanParts, key: string): Step[] {
  const span = { from: earlier[0]?.at ?? request.at, to: request.at }
  return inTime(earlier, span, (each) => repeat(each, dialect, { key }))
}

/** Sends requests at their times, and advances to the end of a span. */
function inTime(
  requests: readonly AnsweredRequest[],
  { from, to }: { readonly from: number; readonly to: number },
  planned: (request: AnsweredRequest) => PlannedRequest,
): Step[] {
  const steps: Step[] = []
  let now = from
  const advance = (at: number) => {
    if (at > now) steps.push({ type: 'advance', ms: at - now })
    now = Math.max(now, at)
  }
  for (const each of requests) {
    advance(each.at)
    steps.push({ type: 'send', request: planned(each) })
  }
  advance(to)
  return steps
}

/** The request with a directive instead of the fault of a rule; none if no directive has this fault. */
function directedSteps(
  { request }: RequestPlanParts,
  planned: Extract<Step, { type: 'send' }>['request'],
  before: readonly Step[],
): Step[][] {
  const { cause } = request.note
  if (cause === undefined || !('fault' in cause)) return []
  const { status, hang, reset, executed } = cause.fault
  const word = status ?? (hang ? 'hang' : reset === undefined ? undefined : executed ? 'lost' : 'reset')
  if (word === undefined) return []
  const headers = { ...planned.headers, 'X-Sim': writeDirective({ fault: String(word) }) }
  return [[...before, { type: 'send', request: { ...planned, headers } }]]
}
