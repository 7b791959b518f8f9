import type { Observation } from '../../engine/observation.js'
import type { AnsweredRequest } from '../../engine/requests/answered-request.js'
import type { AnswerShape } from '../../engine/tasks/answered-task.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Delivery } from '../../engine/webhooks/deliveries/delivery.js'
import { isEndEvent } from '../../engine/webhooks/events/task-event.js'
import type { Entry } from '../journal/entry.js'
import { statusReader, unknownWordIn } from './reported-status.js'
import { byArrival } from './request-groups.js'
import { createTaskHistory, isEnded, type TaskHistory, type WebhookAttempt } from './task-history.js'

/** An observation with its time, in epoch milliseconds. */
export type TimedObservation = Observation & { readonly at: number }

/** Equal for tasks of the same client, model and input. */
export function orderOf({ owner, dialect, identity }: Task): string {
  return `${owner} ${dialect} ${identity}`
}

type AnswersOf = (dialect: string) => AnswerShape | undefined

/** Sorts the entries of a journal by the tasks and the actions that they are about. */
export class JournalIndex {
  readonly requests: AnsweredRequest[] = []
  readonly histories = new Map<string, TaskHistory>()
  readonly webhookAttempts: WebhookAttempt[] = []
  readonly observations: TimedObservation[] = []
  /** The create requests by what they order; see {@link orderOf}. */
  readonly creates = new Map<string, AnsweredRequest[]>()
  readonly #answersOf: AnswersOf

  constructor(answersOf: AnswersOf) {
    this.#answersOf = answersOf
  }

  add(entry: Entry): void {
    switch (entry.type) {
      case 'request':
        this.addRequest(entry.request)
        break
      case 'task':
        this.#history(entry.task.id).task = entry.task
        break
      case 'delivery':
        this.#addDelivery(entry)
        break
      case 'observation':
        this.observations.push({ ...entry.observation, at: entry.at })
        break
    }
  }

  /** Adds a delivery of a known task, which may wait for its first attempt. */
  addPending(delivery: Delivery): void {
    if (!isEndEvent(delivery.taskEvent)) return
    this.histories.get(delivery.taskId)?.deliveries.set(delivery.id, delivery)
  }

  /** Sorts by arrival, because the journal stores requests in the order of their answers. */
  sort(): void {
    this.requests.sort(byArrival)
    for (const request of this.requests) {
      const task = this.histories.get(request.taskId ?? '')?.task
      if (request.operation !== 'tasks.create' || task === undefined) continue
      const equal = this.creates.get(orderOf(task))
      if (equal === undefined) this.creates.set(orderOf(task), [request])
      else equal.push(request)
    }
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

  addRequest(request: AnsweredRequest): void {
    if (request.operation?.startsWith('sim.')) return
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
      // The first list that shows the end, and the first one that certainly does, if a fault changed those before it.
      const isBetter = history.listedEnd?.reported?.isCertain !== true && reported.isCertain
      if (isEnded(reported) && (history.listedEnd === undefined || isBetter))
        history.listedEnd = history.listed
    }
  }

  #addTaskRequest(history: TaskHistory, request: AnsweredRequest): void {
    const [observed] = request.note.observed ?? []
    const reported = observed && this.#statusReader(request)(observed)
    const unknownWord = reported ? undefined : unknownWordIn(request, this.#answersOf(request.dialect ?? ''))
    const read = { request, reported, unknownWord }
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
      case 'tasks.cancel_queued':
      case 'tasks.delete':
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

  #addDelivery({ delivery, attempt, at }: Extract<Entry, { type: 'delivery' }>): void {
    const attempted = attempt === undefined ? [] : [{ delivery, attempt, answeredAt: at }]
    this.webhookAttempts.push(...attempted)
    // Other events do not tell the client that a task has ended.
    if (!isEndEvent(delivery.taskEvent)) return
    const history = this.#history(delivery.taskId)
    history.deliveries.set(delivery.id, delivery)
    history.webhookAttempts.push(...attempted)
  }
}
