import type { Clock } from '../clock/clock.js'
import type { PlanOverride } from '../directive/directive.js'
import type { FieldChanges } from '../json.js'
import { isTerminal, STATUSES, type Task } from '../tasks/task.js'
import type { TaskEvent } from '../webhooks/events/task-event.js'
import type { WebhookFault } from '../webhooks/faults/webhook-fault.js'
import type { ArmedDeviation } from './armed-deviation.js'
import { type Place, type TaskNumber, writePlace } from './place.js'
import type { PlaceTraits, ReadTraits } from './place-traits.js'
import { TaskNumbers } from './task-numbers.js'
import type { Visit, VisitedOrder, VisitedRequest } from './visit.js'

/** A place that a run has reached. */
export interface ReachedPlace {
  /** As {@link writePlace} writes it. */
  readonly id: string
  readonly place: Place
  /** The name of the wire format. */
  readonly dialect: string
  /** When it was reached, in epoch milliseconds on the simulator's clock. */
  readonly at: number
  /** What the service and the scenario decide about its deviations. */
  readonly traits?: PlaceTraits | undefined
}

/** A webhook fault, and the id of the deviation that it belongs to. */
export interface NamedWebhookFault {
  readonly rule: string
  readonly fault: WebhookFault
}

/** The exploration in which a simulator takes part at present; none in most simulators. */
export interface Exploring {
  current: Exploration | undefined
  /** The run without deviations, to whose places later runs refer. */
  baseline: Exploration | undefined
}

/** The largest number of places of a run: nobody has the time to explore more. */
export const MOST_PLACES = 2_000

/**
 * Names the places of a run of a client, and applies deviations at them. Tasks are numbered by what orders them, so that
 * a place means the same in each run, however the requests of a client interleave. Tasks after the first 2,000 places get
 * neither a number nor a place.
 */
export class Exploration {
  readonly #clock: Pick<Clock, 'now'>
  readonly #traitsOf: ReadTraits | undefined
  readonly #deviations: readonly ArmedDeviation[]
  readonly #numbers: TaskNumbers
  readonly #reached = new Map<string, ReachedPlace>()
  /** How many requests or tasks there were, by what they have in common. */
  readonly #counts = new Map<string, number>()
  readonly #applied = new Set<string>()
  /** The deviations that apply to repetitions of a request, by what the repetitions have in common. */
  readonly #repeating = new Map<string, { deviation: ArmedDeviation; taskId: string | undefined }>()
  /** When the fault of the whole service has begun, by the id of its deviation. */
  readonly #begun = new Map<string, number>()

  /**
   * @param traitsOf reads the traits of the places
   * @param deviations what goes wrong; nothing by default
   * @param orders the {@link orders} of the baseline; without them, tasks are numbered in the order of their creation
   * @param ignoresInput whether tasks are matched by their model and order, because their inputs differ between runs
   */
  constructor({
    clock,
    traitsOf,
    deviations = [],
    orders,
    ignoresInput = false,
  }: {
    clock: Pick<Clock, 'now'>
    traitsOf?: ReadTraits | undefined
    deviations?: readonly ArmedDeviation[]
    orders?: readonly string[] | undefined
    ignoresInput?: boolean
  }) {
    this.#clock = clock
    this.#traitsOf = traitsOf
    this.#deviations = deviations
    this.#numbers = new TaskNumbers(orders, ignoresInput)
  }

  /** What has ordered the tasks: an entry for each number. */
  get orders(): readonly string[] {
    return this.#numbers.orders
  }

  /** The places that the run has reached, in the order of their first visit. */
  get places(): readonly ReachedPlace[] {
    return [...this.#reached.values()]
  }

  /** Whether it names no further places. */
  get isFull(): boolean {
    return this.#reached.size >= MOST_PLACES
  }

  /** The ids of the deviations that have been applied. */
  get applied(): ReadonlySet<string> {
    return this.#applied
  }

  /** The number of a task; undefined before its creation. */
  numberOf(taskId: string): TaskNumber | undefined {
    return this.#numbers.of(taskId)
  }

  /** Numbers a new task. Call it for each, before its webhooks are sent. */
  addTask(task: Task): void {
    if (this.isFull) return
    const number = this.#numbers.add(task)
    this.#reach({ type: 'task', task: number }, task.dialect, task.id)
  }

  /** Names the place of a request that is about to be answered, and finds what goes wrong there. */
  visit(request: VisitedRequest): Visit {
    const { dialect, task, operation, order, listed = [] } = request
    if (this.isFull && operation === 'tasks.create')
      return {
        place: operation,
        deviation: this.#serviceFault(operation),
        changes: new Map(),
        plan: undefined,
      }
    const place = this.#placeOf(request)
    const id = this.#reach(place, dialect, task?.id)
    const fault = this.#faultAt(id, request) ?? this.#serviceFault(id)
    if (task !== undefined && operation !== 'files.download' && fault === undefined) this.#renewUrls(task)
    const shown = task === undefined ? listed : [task]
    return {
      place: id,
      deviation: fault,
      changes: new Map(
        shown.flatMap((task) => this.#changesOf(task)).map(({ id, changes }) => [id, changes]),
      ),
      plan: operation === 'tasks.create' && order !== undefined ? this.#planOf(dialect, order) : undefined,
    }
  }

  /** What sends the webhook of the end of a new task before the response to its create request. */
  earlyWebhookFault(task: Task, event: TaskEvent): NamedWebhookFault | undefined {
    const number = this.#numbers.of(task.id)
    const id = number && writePlace({ type: 'webhook', event, task: number })
    const found = this.#deviationAt(id, 'webhook')
    if (found?.webhook?.timing !== 'before_response') return undefined
    this.#applied.add(found.id)
    return { rule: found.id, fault: found.webhook }
  }

  /** What goes wrong with an event of a task. */
  webhookFault(task: Task, event: TaskEvent): NamedWebhookFault | undefined {
    const number = this.#numbers.of(task.id)
    if (number === undefined) return undefined
    const id = this.#reach({ type: 'webhook', event, task: number }, task.dialect, task.id)
    const found = this.#deviationAt(id, 'webhook')
    const [changed] = this.#changesOf(task)
    if (found?.webhook !== undefined) {
      this.#applied.add(found.id)
      return { rule: found.id, fault: { ...changed?.webhook, ...found.webhook } }
    }
    return changed && { rule: changed.rule, fault: changed.webhook }
  }

  #placeOf({ operation, dialect, order, task, file, listed }: VisitedRequest): Place {
    if (operation === 'tasks.create' && order !== undefined) {
      const number = this.#numbers.ofNextRequest(dialect, order)
      return { type: 'request', operation, number, shows: undefined, again: undefined }
    }
    const number = task && this.#numbers.of(task.id)
    if (operation === 'files.download' && number !== undefined && file !== undefined)
      return { type: 'file', task: number, file }
    const shows = operation === 'tasks.list' ? statesOf(listed ?? []) : task?.status
    if (number === undefined && shows === undefined)
      return {
        type: 'request',
        operation,
        number: `${this.#count(operation)}`,
        shows: undefined,
        again: undefined,
      }
    const place = { type: 'request', operation, number, shows, again: undefined } as const
    const id = writePlace(place)
    return this.#isApplied(id) ? { ...place, again: this.#count(`again\0${id}`) + 1 } : place
  }

  #isApplied(place: string): boolean {
    return this.#deviations.some((each) => each.place === place && this.#applied.has(each.id))
  }

  /** A fault applies to the first request at its place and, if it repeats, to the repetitions of the request. */
  #faultAt(place: string, request: VisitedRequest): Visit['deviation'] {
    const repetition = this.#repetitionKey(request)
    const found = this.#deviations.find(
      (each) => each.fault !== undefined && each.place === place && !this.#applied.has(each.id),
    )
    if (found?.repeats !== undefined)
      this.#repeating.set(repetition, { deviation: found, taskId: request.task?.id })
    return this.#apply(found ?? this.#repeating.get(repetition)?.deviation)
  }

  /** An answer about a task has new URLs of its files. */
  #renewUrls({ id }: Task): void {
    for (const [repetition, { deviation, taskId }] of this.#repeating)
      if (deviation.repeats === 'until_renewed' && taskId === id) this.#repeating.delete(repetition)
  }

  /** What a request and its repetitions have in common, whatever the state that their answers would show. */
  #repetitionKey({ operation, dialect, order, task, file }: VisitedRequest): string {
    const subject = order === undefined ? task?.id : this.#numbers.orderOf(dialect, order)
    return [operation, dialect, subject, file].join('\0')
  }

  #serviceFault(place: string): Visit['deviation'] {
    const now = this.#clock.now()
    const found = this.#deviations.find(({ id, place: from, lasts = Infinity }) => {
      if (from === `service@${place}` && !this.#begun.has(id)) this.#begun.set(id, now)
      const begun = this.#begun.get(id)
      return begun !== undefined && now < begun + lasts
    })
    return this.#apply(found)
  }

  #apply(found: ArmedDeviation | undefined): Visit['deviation'] {
    if (found?.fault === undefined) return undefined
    this.#applied.add(found.id)
    return { ...found, fault: found.fault }
  }

  #planOf(dialect: string, order: VisitedOrder): Partial<PlanOverride> | undefined {
    const id = writePlace({ type: 'task', task: this.#numbers.ofNextTask(dialect, order) })
    const found = this.#deviationAt(id, 'plan')
    if (found !== undefined) this.#applied.add(found.id)
    return found?.plan
  }

  /** What changes in a succeeded task wherever it is shown. */
  #changesOf(task: Task): { id: string; changes: FieldChanges; rule: string; webhook: WebhookFault }[] {
    const number = this.#numbers.of(task.id)
    if (number === undefined || !isTerminal(task.status)) return []
    const place = writePlace({ type: 'task', task: number })
    const found = this.#deviationAt(place, 'changes')
    if (found?.changes === undefined) return []
    this.#applied.add(found.id)
    const webhook = { changes: found.changes, attempts: 'all' } as const
    return [{ id: task.id, changes: found.changes, rule: found.id, webhook }]
  }

  #deviationAt(place: string | undefined, what: 'webhook' | 'plan' | 'changes'): ArmedDeviation | undefined {
    return this.#deviations.find((each) => each.place === place && each[what] !== undefined)
  }

  #count(what: string): number {
    const count = (this.#counts.get(what) ?? 0) + 1
    this.#counts.set(what, count)
    return count
  }

  #reach(place: Place, dialect: string, taskId: string | undefined): string {
    const id = writePlace(place)
    if (this.#reached.has(id) || this.isFull) return id
    const traits = this.#traitsOf?.(dialect, taskId)
    this.#reached.set(id, { id, place, dialect, at: this.#clock.now(), traits })
    return id
  }
}

/** The states of tasks, joined; undefined without tasks. */
function statesOf(tasks: readonly Task[]): string | undefined {
  const shown = STATUSES.filter((status) => tasks.some((task) => task.status === status))
  return shown.length === 0 ? undefined : shown.join('-')
}
