import { compactKey } from '../digest.js'
import type { JsonObject } from '../json.js'
import type { Task } from '../tasks/task.js'
import type { TaskNumber } from './place.js'
import type { VisitedOrder } from './visit.js'

/**
 * Numbers tasks by what orders them. Equal orders have the numbers of the baseline in turn; one more than there has the
 * last of these numbers, and a number among its equals.
 */
export class TaskNumbers {
  readonly #orders: string[]
  /** Whether equal orders get numbers of their own. */
  readonly #isFirst: boolean
  readonly #ignoresInput: boolean
  readonly #keys = new WeakMap<JsonObject, string>()
  readonly #numbers = new Map<string, TaskNumber>()
  /** How many create requests, and how many tasks, there were of each order. */
  readonly #requests = new Map<string, number>()
  readonly #tasks = new Map<string, number>()

  /** @param orders those of the baseline; undefined in the baseline itself */
  constructor(orders: readonly string[] | undefined, ignoresInput: boolean) {
    this.#isFirst = orders === undefined
    this.#orders = [...(orders ?? [])]
    this.#ignoresInput = ignoresInput
  }

  /** What has ordered the tasks: an entry for each number. */
  get orders(): readonly string[] {
    return this.#orders
  }

  /** The number of a task; undefined before its creation. */
  of(taskId: string): TaskNumber | undefined {
    return this.#numbers.get(taskId)
  }

  /** Numbers a new task. */
  add(task: Task): TaskNumber {
    const order = this.orderOf(task.dialect, task)
    const number = this.#numberAt(order, counted(this.#tasks, order))
    this.#numbers.set(task.id, number)
    return number
  }

  /** Counts a create request. @returns the number of the task that it orders, also if it creates none */
  ofNextRequest(dialect: string, order: VisitedOrder): TaskNumber {
    const key = this.orderOf(dialect, order)
    return this.#numberAt(key, counted(this.#requests, key))
  }

  /** The number of the next task of an order. */
  ofNextTask(dialect: string, order: VisitedOrder): TaskNumber {
    const key = this.orderOf(dialect, order)
    return this.#numberAt(key, (this.#tasks.get(key) ?? 0) + 1)
  }

  /** What an order has in common with equal ones. */
  orderOf(dialect: string, { model, input }: VisitedOrder): string {
    if (this.#ignoresInput) return `${dialect}\0${model}`
    return `${dialect}\0${model}\0${this.#keyOf(input)}`
  }

  /** A short text that is equal for equal inputs. */
  #keyOf(input: JsonObject): string {
    const known = this.#keys.get(input)
    if (known !== undefined) return known
    const key = compactKey(JSON.stringify(input).slice(0, LONGEST_INPUT).replace(URLS, 'URL'))
    this.#keys.set(input, key)
    return key
  }

  /** The number of the n-th task or request with an order. */
  #numberAt(order: string, nth: number): TaskNumber {
    const numbers = this.#orders.flatMap((each, index) => (each === order ? [index + 1] : []))
    const known = numbers[nth - 1]
    if (known !== undefined) return `${known}`
    const last = numbers.at(-1)
    if (last !== undefined && !this.#isFirst) return `${last}'${nth - numbers.length + 1}`
    return `${this.#orders.push(order)}`
  }
}

/** Characters of an input, as JSON. Inputs that differ only after them count as equal. */
const LONGEST_INPUT = 65_536
/** URLs have ports and tokens that differ between runs. */
const URLS = /https?:\/\/[^\s"\\]+/g

function counted(counts: Map<string, number>, key: string): number {
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  return count
}
