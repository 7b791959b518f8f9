import type { AnsweredRequest } from '../../engine/events.js'
import type { MirroredService } from '../../engine/mirrored-service.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import type { FindingSettings, Thresholds } from '../../scenario/model/findings.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import type { ApplicationCounters } from '../applied/application-counters.js'
import type { Entry } from '../journal/entry.js'
import { JournalIndex, orderOf, type TimedObservation } from './journal-index.js'
import { groupRejected, type RequestGroup } from './request-groups.js'
import type { ServiceFacts } from './service-facts.js'
import { hasPendingDelivery, type TaskHistory, type WebhookAttempt } from './task-history.js'
import { Waits } from './waits.js'

/** The data from which the findings are computed. */
export interface FindingInput {
  /** The journal, oldest first. */
  readonly entries: Iterable<Entry>
  /** The requests that wait for their answer, which count if the client has sent its last request. */
  readonly unanswered?: Iterable<AnsweredRequest> | undefined
  /** The deliveries that have not ended; those without an attempt are not in the journal. */
  readonly pending?: Iterable<Delivery> | undefined
  /** Epoch milliseconds on the simulator's clock. */
  readonly now: number
  readonly settings: FindingSettings
  /** True if the client has sent its last request, so that omissions count immediately. */
  readonly final?: boolean | undefined
  /** Seconds on the clock per real second, at the fastest since the last reset; 0 if it never ran by itself. 1 by default. */
  readonly speed?: number | undefined
  /** The interval of polls, in milliseconds, if the scenario or the service states one; else it depends on the kind. */
  readonly pollIntervalOf?: ((task: PolledTask) => number | undefined) | undefined
  /** What the rules need to know about a service, by the name of its wire format. */
  readonly serviceOf?: ((dialect: string) => ServiceFacts | undefined) | undefined
  /** Whether a webhook reports the end of a task, if it ends now; by default, if its request names a receiver. */
  readonly announces?: ((task: Task) => boolean) | undefined
  /** Whether the service had deleted the output of a task at an instant, in epoch milliseconds; never by default. */
  readonly isGone?: ((task: Task, at: number) => boolean) | undefined
  /** The scenario, and how often its rules and faults have applied. */
  readonly applications?: { readonly scenario: Scenario; readonly counters: ApplicationCounters } | undefined
  /** The real service that the client calls, if it is not a simulated one. */
  readonly mirrored?: MirroredService | undefined
}

/** What decides the interval of polls of a task. */
type PolledTask = Pick<Task, 'dialect' | 'kind' | 'baseKind' | 'extra'>

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
  /** The create requests of a client for the same model and input, in order of arrival. */
  equalCreates(task: Task): readonly AnsweredRequest[]
  /** Whether the client has sent its last request. */
  readonly isOver: boolean
  /** Whether a webhook may still report the end of a task to the client. */
  awaitsWebhook(history: TaskHistory): boolean
  /** Whether the client may have learned about a task in a way that nobody has seen. */
  mayHaveBeenTold(history: TaskHistory): boolean
  /** Whether enough time has passed since an instant to count missing actions of the client as omissions. */
  isSilentSince(at: number): boolean
  /** How long the client waited. */
  readonly waits: Waits
  /** Whether the service had deleted the output of a task at an instant, in epoch milliseconds. */
  isGone(task: Task, at: number): boolean
  /** Whether a client can find a task whose create answer was lost: in a list, or by a webhook that it gets or could get. */
  canBeFound(history: TaskHistory): boolean
}

/** Indexes a journal in one pass. */
export function createFindingContext({
  entries,
  unanswered = [],
  pending = [],
  now,
  settings: { thresholds },
  final = false,
  speed = 1,
  pollIntervalOf,
  serviceOf = () => undefined,
  announces = ({ webhookUrl }) => webhookUrl !== undefined,
  isGone = () => false,
  mirrored,
}: FindingInput): FindingContext {
  const service = memoized(serviceOf)
  const index = new JournalIndex((dialect) => service(dialect)?.answers)
  for (const entry of entries) index.add(entry)
  if (final) for (const request of unanswered) index.addRequest(request)
  for (const delivery of pending) index.addPending(delivery)
  index.sort()
  const { requests, histories, webhookAttempts, observations } = index
  const waits = new Waits(speed)
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
    equalCreates: (task) => index.creates.get(orderOf(task)) ?? [],
    isOver: final,
    awaitsWebhook: (history) => hasPendingDelivery(history) || isToBeAnnounced(history, announces),
    mayHaveBeenTold: ({ task }) => task !== undefined && mirrored?.mayHaveAnnounced(task) === true,
    isSilentSince: (at) => final || now - at > waits.onClock(thresholds.silence),
    waits,
    isGone,
    canBeFound: ({ task, created }) => {
      if (task === undefined || announces(task)) return task !== undefined
      const facts = service(task.dialect)
      if (facts === undefined || facts.lists(task)) return true
      // A client that waits for the answer has no reason to register a webhook.
      const { held, isStream } = created?.request.note ?? {}
      return held === undefined && isStream !== true && facts.takesWebhookUrl(task)
    },
  }
}

function isToBeAnnounced({ task }: TaskHistory, announces: (task: Task) => boolean): boolean {
  return task !== undefined && task.completedAt === undefined && announces(task)
}

function memoized<Value>(read: (name: string) => Value): (name: string) => Value {
  const values = new Map<string, Value>()
  return (name) => {
    if (!values.has(name)) values.set(name, read(name))
    return values.get(name) as Value
  }
}
