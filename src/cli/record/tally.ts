import type { Dialect } from '../../dialects/dialect.js'
import { orderIn } from '../../record/exchanges/seen-exchange.js'
import type { PassedExchange } from '../../record/recording/passed-exchange.js'
import { jsonIn, shownTasks } from './read-exchange.js'

/** Counts what has passed in this run. */
export class Tally {
  readonly #dialect: Dialect
  readonly #tasks = new Set<string>()
  readonly #models = new Set<string>()
  exchanges = 0
  ownRequests = 0
  webhooks = 0

  constructor(dialect: Dialect) {
    this.#dialect = dialect
  }

  get tasks(): number {
    return this.#tasks.size
  }

  /** The models that requests have named. */
  get models(): number {
    return this.#models.size
  }

  exchange({ request, response, isOwn }: PassedExchange): void {
    if (isOwn) this.ownRequests += 1
    else this.exchanges += 1
    const shown = shownTasks(this.#dialect, response)
    for (const { id } of shown) this.#tasks.add(id)
    if (shown.length === 0) return
    const { model } = orderIn(this.#dialect, request, jsonIn(request.body) ?? {}) ?? {}
    if (model !== undefined) this.#models.add(model)
  }
}
