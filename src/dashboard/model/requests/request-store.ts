import { type FieldLists, FieldValues } from '../field-values.js'
import { fieldsOf, isRefused, type RequestBrief } from './request-filter.js'

/** As many as the journal of the server keeps. */
const MAX_REQUESTS = 10_000

/** The operations whose answers have the URLs of a task. */
const SHOWS_TASK = ['tasks.retrieve', 'tasks.result']

/** The latest requests. Pages of the journal and entries of the stream may arrive repeatedly and in any order. */
export class RequestStore {
  /** The numbers of the entries increase. */
  #requests: RequestBrief[] = []
  readonly #values = new FieldValues('operation', 'dialect', 'key')
  /** When an answer last showed a task, by its id. */
  readonly #lastAnswers = new Map<string, number>()
  /** The number of the request that created a task, by the id of the task. */
  readonly #creations = new Map<string, number>()

  get size(): number {
    return this.#requests.length
  }

  /** The distinct operations, dialects and keys, as the filters name them. The same object until one changes. */
  get values(): FieldLists<'operation' | 'dialect' | 'key'> {
    return this.#values.lists
  }

  clear(): void {
    this.#requests = []
    this.#values.clear()
    this.#lastAnswers.clear()
    this.#creations.clear()
  }

  /** Adds requests that are older than all others, newest first, as in a page of the journal. */
  addPage(page: readonly RequestBrief[]): void {
    const first = this.#requests[0]?.number ?? Infinity
    const older = page.filter(({ number }) => number < first).reverse()
    for (const request of older) this.#count(request)
    this.#requests = [...older, ...this.#requests]
    this.#drop(this.#requests.length - MAX_REQUESTS)
  }

  /** Adds a request that was just answered. */
  add(request: RequestBrief): void {
    const last = this.#requests.at(-1)?.number ?? 0
    if (request.number <= last) return
    this.#requests.push(request)
    this.#count(request)
    // Moving all entries only once in a while keeps this cheap.
    const excess = this.#requests.length - MAX_REQUESTS
    if (excess > 1_000) this.#drop(excess)
  }

  /** The matching requests, newest first. */
  list(test: (request: RequestBrief) => boolean): RequestBrief[] {
    const found: RequestBrief[] = []
    for (let index = this.#requests.length - 1; index >= 0; index--) {
      const request = this.#requests[index] as RequestBrief
      if (test(request)) found.push(request)
    }
    return found
  }

  /** The requests that were refused, newest first. */
  refused(): RequestBrief[] {
    return this.list(isRefused)
  }

  /** When an answer last showed a task, in epoch milliseconds; undefined if no known one did. */
  lastAnswer(taskId: string): number | undefined {
    return this.#lastAnswers.get(taskId)
  }

  /** The number of the request that created a task; undefined if it is not known any more. */
  creationOf(taskId: string): number | undefined {
    return this.#creations.get(taskId)
  }

  #count(request: RequestBrief): void {
    this.#values.add(fieldsOf(request))
    const { task_id: task, operation = '', at, number } = request
    if (task === undefined || isRefused(request)) return
    if (operation === 'tasks.create') this.#creations.set(task, number)
    if (!SHOWS_TASK.includes(operation)) return
    this.#lastAnswers.set(task, Math.max(Date.parse(at), this.#lastAnswers.get(task) ?? 0))
  }

  /** Drops the oldest requests. */
  #drop(excess: number): void {
    if (excess <= 0) return
    for (const request of this.#requests.splice(0, excess)) {
      this.#values.remove(fieldsOf(request))
      const { task_id: task = '', at, number } = request
      if (this.#creations.get(task) === number) this.#creations.delete(task)
      if (this.#lastAnswers.get(task) === Date.parse(at)) this.#lastAnswers.delete(task)
    }
  }
}
