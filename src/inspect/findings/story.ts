import type { AnsweredRequest } from '../../engine/events.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Attempt, Delivery } from '../../engine/webhooks/delivery.js'
import { isEnd, type Told } from './told.js'

/** One request about a task, and what its answer told of it. */
export interface Look {
  readonly request: AnsweredRequest
  /** Undefined where the client could not read it from the answer. */
  readonly told: Told | undefined
}

/** One attempt to hand a webhook over. */
export interface Sent {
  readonly delivery: Delivery
  readonly attempt: Attempt
}

/** All that is known of one task and of those who asked for it; requests in the order in which they came. */
export interface Story {
  readonly id: string
  /** As it was last. */
  task: Task | undefined
  created: Look | undefined
  readonly polls: Look[]
  readonly cancels: Look[]
  readonly downloads: AnsweredRequest[]
  /** The last list that showed it, and the first one that told its end. */
  listed: Look | undefined
  listedEnd: Look | undefined
  /** Each as it was last. */
  readonly deliveries: Map<string, Delivery>
  readonly sent: Sent[]
}

/** A story of which nothing is known yet. */
export function newStory(id: string): Story {
  return {
    id,
    task: undefined,
    created: undefined,
    polls: [],
    cancels: [],
    downloads: [],
    listed: undefined,
    listedEnd: undefined,
    deliveries: new Map(),
    sent: [],
  }
}

/** How a client has learned that a task is over. */
export interface Learned {
  /** Epoch milliseconds. */
  readonly at: number
  /** False where a fault has touched what told it. */
  readonly isSure: boolean
}

/** How the client has learned of the task's end; undefined where nothing has told it. */
export function learned({ polls, cancels, listedEnd, sent }: Story): Learned | undefined {
  const look = [...polls, ...cancels, ...(listedEnd === undefined ? [] : [listedEnd])].find(tellsEnd)
  if (look?.told?.isSure) return { at: look.request.answeredAt, isSure: true }
  const webhook = sent.find(({ attempt }) => isAccepted(attempt) && isTrue(attempt))
  if (webhook !== undefined) return { at: webhook.attempt.startedAt, isSure: true }
  return look && { at: look.request.answeredAt, isSure: false }
}

/** Whether a client could read from the answer that the task is over. */
export function tellsEnd({ told }: Look): boolean {
  return told !== undefined && isEnd(told)
}

/** Whether a receiver has answered an attempt, with whatever status. */
export function isAnswered({ attempt }: Sent): boolean {
  return attempt.status !== undefined
}

/** Whether a receiver has acknowledged a webhook. */
export function isAccepted({ status }: Attempt): boolean {
  return status !== undefined && status >= 200 && status < 300
}

/** Whether what a webhook says is true, be it signed with the secret before. */
export function isTrue({ flaw }: Attempt): boolean {
  return flaw === undefined || flaw === 'previous_secret'
}

/** Whether a poll has failed for a reason that may pass. */
export function hasFailed({ request, told }: Look): boolean {
  const { status, delivered, method } = request
  if (method === 'HEAD' || told !== undefined) return false
  return !delivered || status >= 500 || status === 429 || status === 408 || status < 300
}

/** The polls at the end of a story that have failed, one after the other. */
export function lastFailures({ polls }: Story): readonly Look[] {
  let first = polls.length
  while (first > 0 && hasFailed(polls[first - 1] as Look)) first -= 1
  return polls.slice(first)
}

/** Whether a request was sent when the answer to another one was there. */
export function follows(later: AnsweredRequest, earlier: AnsweredRequest): boolean {
  // Ids are given in the order of arrival, which tells requests of the same millisecond apart.
  return later.id > earlier.id && later.at >= earlier.answeredAt
}

/** A client that waits less for an answer than this, in milliseconds, does not time out: it sends the same twice. */
export const SHORTEST_TIMEOUT = 1_000

/** Whether a client could not read the answer, or may not have waited for it. */
export function isLost({ request, told }: Look): boolean {
  const isLate = request.fault !== undefined && request.answeredAt - request.at >= SHORTEST_TIMEOUT
  return told === undefined || isLate
}
