import { ItemStore } from '../item-store.js'
import { isRefused, REQUEST_FILTER, type RequestBrief, type RequestCondition } from './request-filter.js'

/** The operations whose answers have the URLs of a task. */
const SHOWS_TASK = ['tasks.retrieve', 'tasks.result']

/** The latest requests, as many as the journal of the server keeps. */
export class RequestStore extends ItemStore<RequestBrief, RequestCondition> {
  /** When an answer last showed a task, by its id. */
  readonly #lastAnswers = new Map<string, number>()
  /** The number of the request that created a task, by the id of the task. */
  readonly #creations = new Map<string, number>()

  constructor() {
    super({
      filter: REQUEST_FILTER,
      choices: ['operation', 'dialect', 'key'],
      rankOf: ({ number }) => number,
      most: 10_000,
    })
  }

  override clear(): void {
    super.clear()
    this.#lastAnswers.clear()
    this.#creations.clear()
  }

  /** When an answer last showed a task, in epoch milliseconds; undefined if no known one did. */
  lastAnswer(taskId: string): number | undefined {
    return this.#lastAnswers.get(taskId)
  }

  /** The number of the request that created a task; undefined if it is not known any more. */
  creationOf(taskId: string): number | undefined {
    return this.#creations.get(taskId)
  }

  protected override onAdded(request: RequestBrief): void {
    const { task_id: task, operation = '', at, number } = request
    if (task === undefined || isRefused(request)) return
    if (operation === 'tasks.create') this.#creations.set(task, number)
    if (!SHOWS_TASK.includes(operation)) return
    this.#lastAnswers.set(task, Math.max(Date.parse(at), this.#lastAnswers.get(task) ?? 0))
  }

  protected override onDropped({ task_id: task = '', at, number }: RequestBrief): void {
    if (this.#creations.get(task) === number) this.#creations.delete(task)
    if (this.#lastAnswers.get(task) === Date.parse(at)) this.#lastAnswers.delete(task)
  }
}
