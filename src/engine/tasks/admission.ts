import type { Clock } from '../clock/clock.js'
import type { MemoryBudget } from '../memory/budget.js'
import { OverBudgetError } from '../memory/budget.js'
import { bytesOf, bytesOfTask } from '../memory/bytes-of.js'
import { type Occurrence, OccurrenceCounter } from '../occurrence-counter.js'
import { streamIn } from '../partition.js'
import type { Chance } from '../random.js'
import type { Capacity } from './capacity.js'
import { CapacityError } from './capacity.js'
import { summarizeSync } from './input.js'
import type { WireFormats } from './kinds.js'
import { type NewTask, type NewTaskDetails, newTask } from './new-task.js'
import type { Planner } from './planner.js'
import type { Task } from './task.js'

/** The parts that {@link Admission} needs. */
export interface AdmissionParts {
  /** The simulator's clock. */
  readonly clock: Clock
  /** The source of all draws. */
  readonly chance: Chance
  /** Limits how many tasks run and wait. */
  readonly capacity: Capacity
  /** Plans new tasks. */
  readonly planner: Planner
  /** The wire formats of tasks. */
  readonly formats: WireFormats
  /** Limits the bytes that tasks retain. */
  readonly budget: MemoryBudget
  /** The partition of the server, for ids. */
  readonly partition: string | undefined
}

/** A new task, and whether the capacity has a place for it. */
interface Admitted {
  readonly task: Task
  readonly hasPlace: boolean
}

/** What an order determines before any draw. */
interface OrderTraits extends Pick<NewTaskDetails, 'dialect' | 'kind' | 'media' | 'inputBytes'> {
  /** A text that equal orders share. */
  readonly equal: string
}

/** Turns orders into tasks: gives each an id and a plan, and decides whether it runs or waits. */
export class Admission {
  /** Plans new tasks, by the active scenario. */
  planner: Planner
  /** Counts the tasks for each model and input. */
  occurrences: OccurrenceCounter
  readonly #parts: Omit<AdmissionParts, 'planner'>
  /** The name of the stream from which ids are drawn. */
  readonly #idStream: string

  constructor({ planner, ...parts }: AdmissionParts) {
    this.planner = planner
    this.#parts = parts
    this.#idStream = streamIn(parts.partition, 'id')
    this.occurrences = new OccurrenceCounter(parts.chance)
  }

  /**
   * Plans a task and counts it in the capacity. A task with a place runs at once, unless its plan says that it is
   * queued first.
   * @throws CapacityError if the task can neither run nor wait; InputError if the model rejects the input;
   * OverBudgetError if the task exceeds the memory budget
   */
  admit(order: NewTask): Admitted {
    const { capacity } = this.#parts
    const traits = this.#traitsOf(order)
    const applicant = { kind: traits.kind, model: order.model, owner: order.owner }
    const claim = capacity.claim(applicant)
    if (claim.isRefused) throw new CapacityError()
    const draft = this.#draft(order, traits, this.occurrences.retain(traits.equal))
    const hasPlace = capacity.enter(draft.id, applicant, claim)
    return { task: newTask(order, draft, hasPlace && draft.plan.queueing === 0), hasPlace }
  }

  /**
   * Plans the task that {@link admit} would create from the first order with this model and input, if the capacity is
   * unlimited. Nothing is counted.
   * @throws InputError if the model rejects the input; OverBudgetError if the task exceeds the memory budget
   */
  foresee(order: NewTask): Task {
    const traits = this.#traitsOf(order)
    const draft = this.#draft(order, traits, this.occurrences.first(traits.equal))
    return newTask(order, draft, draft.plan.queueing === 0)
  }

  #traitsOf(order: NewTask): OrderTraits {
    const { budget, formats } = this.#parts
    const { model, input, dialect = formats.main, summary = summarizeSync(input) } = order
    const { canonical } = summary
    const inputBytes =
      summary.inputBytes + bytesOf([order.owner, model, order.webhookUrl, order.origin, order.extra])
    if (!budget.tryToFit(bytesOfTask({ inputBytes }))) throw new OverBudgetError(budget.limit)
    const kind = order.kind ?? this.planner.kindOf(model, input)
    const media = this.planner.order(kind, model, input)
    return {
      dialect,
      kind,
      media,
      inputBytes,
      equal: this.planner.identityOf({ dialect, model, input }, canonical),
    }
  }

  #draft(
    { model, owner, input, directive, extra }: NewTask,
    { dialect, kind, media, inputBytes }: OrderTraits,
    { seed, fingerprint: identity, number: occurrence }: Occurrence,
  ): NewTaskDetails {
    const { clock, formats } = this.#parts
    const chance = occurrence === 1 ? seed : seed.child(String(occurrence))
    const plan = this.planner.plan({ kind, model, dialect, key: owner, input, occurrence }, chance, directive)
    return {
      id: plan.recorded?.id ?? formats.drawTaskId(dialect, chance.stream(this.#idStream), extra),
      dialect,
      identity,
      inputBytes,
      kind,
      baseKind: this.planner.baseOf(kind),
      media,
      plan,
      now: clock.now(),
    }
  }

  /** Stops counting a task that was deleted. */
  forget({ identity }: Task): void {
    this.occurrences.release(identity)
  }

  /** Forgets all tasks. */
  clear(): void {
    this.occurrences = new OccurrenceCounter(this.#parts.chance)
    this.#parts.capacity.clear()
  }
}
