import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import type { FindingSettings, ScenarioSettings, Thresholds } from '../../engine/scenario/scenario.js'
import type { AnswerShape } from '../../engine/tasks/answered-task.js'
import type { MirroredService } from '../../engine/tasks/mirrored-tasks.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import type { ApplicationCounters } from '../applied/application-counters.js'
import type { Entry } from '../journal/entry.js'
import { JournalIndex, orderOf, type TimedObservation } from './journal-index.js'
import { type IsPassedOn, passedOutputs } from './passed-outputs.js'
import { groupRejected, type RequestGroup } from './request-groups.js'
import { hasPendingDelivery, type TaskHistory, type WebhookAttempt } from './task-history.js'
import { Waits } from './waits.js'

/** The data from which the findings are computed. */
export interface FindingInput {
  /** The journal, oldest first. */
  readonly entries: Iterable<Entry>
  /** The requests that wait for their answer, which count if the client has sent its last request. */
  readonly unanswered: Iterable<AnsweredRequest>
  /** The deliveries that have not ended; those without an attempt are not in the journal. */
  readonly pending: Iterable<Delivery>
  /** Epoch milliseconds on the simulator's clock. */
  readonly now: number
  readonly settings: FindingSettings
  /** Whether the client has sent its last request, so that omissions count immediately. */
  readonly final: boolean
  /** Whether the program of the client has ended by itself, and with it all of its loops. */
  readonly hasExited?: boolean | undefined
  /** Seconds on the clock per real second, at the fastest since the last reset; 0 if it never ran by itself. */
  readonly speed: number
  /** The interval of polls, in milliseconds, if the scenario or the service states one; else it depends on the kind. */
  readonly pollIntervalOf: (task: PolledTask) => number | undefined
  /** Whether the timers of the client run on the manual clock. */
  readonly hasClockTimers: boolean
  /** What the rules need to know about a service, by the name of its wire format. */
  readonly serviceOf: (dialect: string) => ServiceFacts | undefined
  /** Whether somebody has chosen the date of the clock; otherwise, that of the machine decides what has ended. */
  readonly isDated: boolean
  /** Whether a webhook reports the end of a task, if it ends now. */
  readonly announces: (task: Task) => boolean
  /** Whether the service had deleted the output of a task at an instant, in epoch milliseconds. */
  readonly isGone: (task: Task, at: number) => boolean
  /** How long an output URL of a task is valid, in milliseconds. */
  readonly urlLifetimeOf: (task: Task) => number
  /** The scenario, and how often its rules and faults have applied. */
  readonly applications: { readonly scenario: ScenarioSettings; readonly counters: ApplicationCounters }
  /** The real service that the client calls, if it is not a simulated one. */
  readonly mirrored: MirroredService | undefined
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
  /** The date of a request, in epoch milliseconds, which decides whether an API had ended. */
  dateOf(request: AnsweredRequest): number
  /** Whether a wire format lists APIs that have ended, or will. */
  hasEndedApis(dialect: string): boolean
  /** Whether only a request for the result of a task shows its output. */
  hidesOutput(history: TaskHistory): boolean
  historyOf(taskId: string | undefined): TaskHistory | undefined
  /** The create requests of a client for the same model and input, in order of arrival. */
  equalCreates(task: Task): readonly AnsweredRequest[]
  /** Whether the client has sent its last request. */
  readonly isOver: boolean
  /** Whether the program of the client has ended by itself, and with it all of its loops. */
  readonly hasExited: boolean
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
  /** How long an output URL of a task is valid, in milliseconds. */
  urlLifetimeOf(task: Task): number
  /** Whether the service can cancel a running task. */
  canCancel(task: Task): boolean
  /** How a client can find a task whose create answer was lost. */
  waysToFind(history: TaskHistory): readonly WayToFind[]
  /** Whether the input of a later task names an output of a task, so that the client need not download it. */
  readonly isPassedOn: IsPassedOn
}

/** A list of the service, a webhook that the client gets, or one for which it could name a receiver. */
export type WayToFind = 'list' | 'webhook' | 'possible_webhook'

/** Whether a client could find a task without its id. A webhook counts if the client has named a receiver for it. */
export function isFindable(ways: readonly WayToFind[]): boolean {
  return ways.some((way) => way !== 'possible_webhook')
}

/** Indexes a journal in one pass. */
export function createFindingContext({
  entries,
  unanswered,
  pending,
  now,
  settings: { thresholds },
  final,
  hasExited = false,
  speed,
  hasClockTimers,
  isDated,
  pollIntervalOf,
  serviceOf,
  announces,
  isGone,
  urlLifetimeOf,
  mirrored,
}: FindingInput): FindingContext {
  const service = memoized(serviceOf)
  const index = new JournalIndex((dialect) => service(dialect)?.answers)
  for (const entry of entries) index.add(entry)
  if (final) for (const request of unanswered) index.addRequest(request)
  for (const delivery of pending) index.addPending(delivery)
  index.sort()
  const { requests, histories, webhookAttempts, observations } = index
  const waits = new Waits(speed, hasClockTimers)
  return {
    thresholds,
    pollIntervalOf: (task) =>
      pollIntervalOf(task) ?? thresholds.poll_interval[task.kind] ?? thresholds.poll_interval[task.baseKind],
    now,
    requests,
    downloads: requests.filter(({ operation }) => operation === 'files.download'),
    rejectedGroups: groupRejected(requests),
    histories: [...histories.values()],
    webhookAttempts,
    signedAttempts: webhookAttempts.filter(({ delivery }) => service(delivery.format)?.signsWebhooks),
    observations,
    dateOf: ({ at, realAt }) => (isDated ? at : realAt),
    hasEndedApis: (dialect) => service(dialect)?.hasEndedApis === true,
    hidesOutput: ({ task }) => service(task?.dialect ?? '')?.answers.hidesOutput === true,
    historyOf: (taskId = '') => histories.get(taskId),
    equalCreates: (task) => index.creates.get(orderOf(task)) ?? [],
    isOver: final,
    hasExited,
    awaitsWebhook: (history) => hasPendingDelivery(history) || isToBeAnnounced(history, announces),
    mayHaveBeenTold: ({ task }) => task !== undefined && mirrored?.mayHaveAnnounced(task) === true,
    isSilentSince: (at) => final || now - at > waits.onClock(thresholds.silence),
    waits,
    isGone,
    urlLifetimeOf,
    isPassedOn: passedOutputs(() => [...histories.values()].flatMap(({ task }) => task ?? [])),
    canCancel: (task) => service(task.dialect)?.cancels(task) === true,
    waysToFind: ({ task, created }) => {
      if (task === undefined) return []
      const facts = service(task.dialect)
      const isListed = facts === undefined || facts.lists(task)
      const ways: readonly WayToFind[] = isListed ? ['list'] : []
      if (announces(task)) return [...ways, 'webhook']
      // A client that waits for the answer has no reason to register a webhook.
      const { wait, isStream } = created?.request.note ?? {}
      const mayRegister = wait === undefined && isStream !== true && facts?.takesWebhookUrl(task) === true
      return mayRegister ? [...ways, 'possible_webhook'] : ways
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

/** What the rules need to know about the service that a client calls. */
export interface ServiceFacts {
  /** The names of the fields in answers about tasks. */
  readonly answers: AnswerShape
  /** Whether its description lists APIs that have ended, or will. */
  readonly hasEndedApis?: boolean | undefined
  /** Whether a receiver can verify the webhooks of the service. */
  readonly signsWebhooks: boolean
  /** Whether the service has a list that shows such a task. */
  lists(task: Task): boolean
  /** Whether a request can cancel such a task while it runs. */
  cancels(task: Task): boolean
  /** Whether the create request of such a task can name a receiver of webhooks. */
  takesWebhookUrl(task: Task): boolean
}
