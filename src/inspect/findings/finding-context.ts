import type { AnsweredRequest } from '../../engine/events.js'
import type { MirroredService } from '../../engine/mirrored-service.js'
import type { Observation } from '../../engine/observation.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Attempt, Delivery } from '../../engine/webhooks/delivery.js'
import { isEndEvent } from '../../engine/webhooks/task-event.js'
import type { FindingSettings, Thresholds } from '../../scenario/model/findings.js'
import type { Entry } from '../journal/entry.js'
import type { ServiceFacts } from './service-facts.js'
import {
  createTaskHistory,
  isEnded,
  statusReader,
  type TaskHistory,
  type WebhookAttempt,
} from './task-history.js'

/** The data from which the findings are computed. */
export interface FindingInput {
  /** The journal, oldest first. */
  readonly entries: Iterable<Entry>
  /** Epoch milliseconds on the simulator's clock. */
  readonly now: number
  readonly settings: FindingSettings
  /** True if the client has sent its last request, so that omissions count immediately. */
  readonly final?: boolean | undefined
  /** True if the clock advances only on request. */
  readonly isManual?: boolean | undefined
  /** The interval of polls, in milliseconds, if the scenario or the service states one; else it depends on the kind. */
  readonly pollIntervalOf?: ((task: PolledTask) => number | undefined) | undefined
  /** What the rules need to know about a service, by the name of its wire format. */
  readonly serviceOf?: ((dialect: string) => ServiceFacts | undefined) | undefined
  /** The real service that the client calls, if it is not a simulated one. */
  readonly mirrored?: MirroredService | undefined
}

/** What decides the interval of polls of a task. */
type PolledTask = Pick<Task, 'dialect' | 'kind' | 'baseKind' | 'extra'>

/** At least one request, in order of arrival. */
export type RequestGroup = readonly [AnsweredRequest, ...AnsweredRequest[]]

/** An observation with its time, in epoch milliseconds. */
export type TimedObservation = Observation & { readonly at: number }

/** The journal, indexed once for all rules. */
export interface FindingContext {
  readonly thresholds: Thresholds
  /** The shortest allowed interval between polls of a task, in milliseconds. */
  pollIntervalOf(task: Task): number | undefined
  /** Epoch milliseconds. */
  readonly now: number
  /** The requests to the service, in order of arrival. */
  readonly requests: readonly AnsweredRequest[]
  /** The requests for output files, in order of arrival. */
  readonly downloads: readonly AnsweredRequest[]
  /** Groups of identical requests on tasks, each with at least one rejected request. */
  readonly rejectedGroups: readonly RequestGroup[]
  readonly histories: readonly TaskHistory[]
  readonly webhookAttempts: readonly WebhookAttempt[]
  readonly observations: readonly TimedObservation[]
  /** The attempts to deliver webhooks that are signed. */
  readonly signedAttempts: readonly WebhookAttempt[]
  /** Whether only a request for the result of a task shows its output. */
  hidesOutput(history: TaskHistory): boolean
  historyOf(taskId: string | undefined): TaskHistory | undefined
  /** Whether the client may have learned about a task in a way that nobody has seen. */
  mayHaveBeenTold(history: TaskHistory): boolean
  /** Whether enough time has passed since an instant to count missing actions of the client as omissions. */
  isSilentSince(at: number): boolean
  /** The milliseconds between two instants; undefined if a manual clock did not advance, which proves nothing. */
  elapsed(from: number, to: number): number | undefined
}

/** Indexes a journal in one pass. */
export function createFindingContext({
  entries,
  now,
  settings: { thresholds },
  final = false,
  isManual = false,
  pollIntervalOf,
  serviceOf = () => undefined,
  mirrored,
}: FindingInput): FindingContext {
  const service = memoized(serviceOf)
  const index = new JournalIndex((dialect) => service(dialect)?.answers)
  for (const entry of entries) index.add(entry)
  index.sort()
  const { requests, histories, webhookAttempts, observations } = index
  return {
    thresholds,
    pollIntervalOf: (task) =>
      pollIntervalOf?.(task) ??
      thresholds.poll_interval[task.kind] ??
      thresholds.poll_interval[task.baseKind],
    now,
    requests,
    downloads: requests.filter(({ operation }) => operation === 'files.download'),
    rejectedGroups: groupRejected(requests),
    histories: [...histories.values()],
    webhookAttempts,
    signedAttempts: webhookAttempts.filter(({ delivery }) => service(delivery.format)?.signsWebhooks),
    observations,
    hidesOutput: ({ task }) => service(task?.dialect ?? '')?.answers.hidesOutput === true,
    historyOf: (taskId = '') => histories.get(taskId),
    mayHaveBeenTold: ({ task }) => task !== undefined && mirrored?.mayHaveAnnounced(task) === true,
    isSilentSince: (at) => final || now - at > thresholds.silence,
    elapsed: (from, to) => (isManual && from === to ? undefined : to - from),
  }
}

function memoized<Value>(read: (name: string) => Value): (name: string) => Value {
  const values = new Map<string, Value>()
  return (name) => {
    if (!values.has(name)) values.set(name, read(name))
    return values.get(name) as Value
  }
}

type AnswersOf = (dialect: string) => ServiceFacts['answers'] | undefined

class JournalIndex {
  readonly requests: AnsweredRequest[] = []
  readonly histories = new Map<string, TaskHistory>()
  readonly webhookAttempts: WebhookAttempt[] = []
  readonly observations: TimedObservation[] = []
  readonly #answersOf: AnswersOf

  constructor(answersOf: AnswersOf) {
    this.#answersOf = answersOf
  }

  add(entry: Entry): void {
    switch (entry.type) {
      case 'request':
        if (!entry.request.operation?.startsWith('sim.')) this.#addRequest(entry.request)
        break
      case 'task':
        this.#history(entry.task.id).task = entry.task
        break
      case 'delivery':
        this.#addDelivery(entry.delivery, entry.attempt)
        break
      case 'observation':
        this.observations.push({ ...entry.observation, at: entry.at })
        break
    }
  }

  /** Sorts by arrival, because the journal stores requests in the order of their answers. */
  sort(): void {
    this.requests.sort(byArrival)
    for (const { polls, cancels, results, downloads } of this.histories.values()) {
      polls.sort((a, b) => byArrival(a.request, b.request))
      cancels.sort((a, b) => byArrival(a.request, b.request))
      results.sort((a, b) => byArrival(a.request, b.request))
      downloads.sort(byArrival)
    }
  }

  #history(id: string): TaskHistory {
    const known = this.histories.get(id)
    if (known !== undefined) return known
    const history = createTaskHistory(id)
    this.histories.set(id, history)
    return history
  }

  #addRequest(request: AnsweredRequest): void {
    this.requests.push(request)
    if (request.operation === 'tasks.list') this.#addList(request)
    else if (request.taskId !== undefined) this.#addTaskRequest(this.#history(request.taskId), request)
  }

  #addList(request: AnsweredRequest): void {
    const statusOf = this.#statusReader(request)
    for (const task of request.note.observed ?? []) {
      const reported = statusOf(task)
      if (reported === undefined) continue
      const history = this.#history(task.id)
      history.listed = { request, reported }
      if (isEnded(reported)) history.listedEnd ??= history.listed
    }
  }

  #addTaskRequest(history: TaskHistory, request: AnsweredRequest): void {
    const [observed] = request.note.observed ?? []
    const read = { request, reported: observed && this.#statusReader(request)(observed) }
    if (request.note.hasFiles && request.delivered) history.hasFiles = true
    if (history.last === undefined || history.last.id < request.id) history.last = request
    switch (request.operation) {
      case 'tasks.create':
        history.created = read
        break
      case 'tasks.retrieve':
      case 'tasks.stream':
        history.polls.push(read)
        break
      case 'tasks.cancel':
        history.cancels.push(read)
        break
      case 'tasks.result':
        history.results.push(read)
        break
      case 'files.download':
        history.downloads.push(request)
        break
    }
  }

  #statusReader(request: AnsweredRequest): ReturnType<typeof statusReader> {
    return statusReader(request, this.#answersOf(request.dialect ?? ''))
  }

  #addDelivery(delivery: Delivery, attempt: Attempt | undefined): void {
    if (attempt !== undefined) this.webhookAttempts.push({ delivery, attempt })
    // Other events do not tell the client that a task has ended.
    if (!isEndEvent(delivery.taskEvent)) return
    const history = this.#history(delivery.taskId)
    history.deliveries.set(delivery.id, delivery)
    if (attempt !== undefined) history.webhookAttempts.push({ delivery, attempt })
  }
}

function groupRejected(requests: readonly AnsweredRequest[]): readonly RequestGroup[] {
  const rejectedPaths = new Set<string>()
  for (const { status, path } of requests) if (status >= 400) rejectedPaths.add(path)
  const groups = groupRequests(requests, ({ key, method, path, query, operation, note }) =>
    // Skip other paths: building an identity for every request would cost more than all rules together.
    rejectedPaths.has(path) && operation?.startsWith('tasks.')
      ? `${key} ${method} ${path}?${query} ${note.bodyHash ?? ''}`
      : undefined,
  )
  return groups.filter((group) => group.some(({ status }) => status >= 400))
}

/** Groups requests by an identity; omits those whose identity is undefined. */
export function groupRequests(
  requests: readonly AnsweredRequest[],
  identityOf: (request: AnsweredRequest) => string | undefined,
): RequestGroup[] {
  const groups = new Map<string, [AnsweredRequest, ...AnsweredRequest[]]>()
  for (const request of requests) {
    const identity = identityOf(request)
    if (identity === undefined) continue
    const group = groups.get(identity)
    if (group === undefined) groups.set(identity, [request])
    else group.push(request)
  }
  return [...groups.values()]
}

/** Sorts requests in order of arrival, in which their ids are assigned. */
export function byArrival(a: AnsweredRequest, b: AnsweredRequest): number {
  return a.id < b.id ? -1 : 1
}
