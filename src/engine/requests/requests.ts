import { prefixIn } from '../partition.js'
import type { AnsweredRequest } from './answered-request.js'

/** The requests so far, and those that wait for their answer. */
export class Requests {
  /** The number of requests, from which their ids come. */
  count = 0
  /** Those that wait for their answer, each as it is so far. */
  readonly unanswered = new Set<() => AnsweredRequest>()
  readonly #prefix: string

  /** @param partition makes the ids unique among several servers */
  constructor(partition: string | undefined) {
    this.#prefix = prefixIn(partition, 'req_')
  }

  /** Counts a request, and returns its id. */
  nextId(): string {
    this.count += 1
    return this.lastId
  }

  /** The id of the last request. */
  get lastId(): string {
    return `${this.#prefix}${this.count.toString(36).padStart(8, '0')}`
  }
}
