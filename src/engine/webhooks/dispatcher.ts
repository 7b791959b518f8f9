import type { JsonObject } from '../json.js'
import type { MemoryBudget } from '../memory/budget.js'
import type { Task } from '../tasks/task.js'
import { Barriers } from './barriers.js'
import type { Delivery } from './delivery.js'
import { DeliveryLog } from './delivery-log.js'
import { DeliveryRunner, type DeliveryRunnerParts } from './delivery-runner.js'
import { EarlyDeliveries } from './early-deliveries.js'
import { EXAMPLE_OUTPUT, exampleTask } from './example-task.js'
import type { Receiver, ReceiverSettings, Receivers } from './receivers.js'
import { type AppliedWebhookFault, contextOf, type WebhookFaultRules } from './webhook-fault-rules.js'
import { eventOfEnd, type WebhookFormat } from './webhook-format.js'

/** The parts that {@link Dispatcher} needs. */
export interface DispatcherParts extends Omit<DeliveryRunnerParts, 'log' | 'formatOf'> {
  /** Limits the bytes that the delivery log retains. */
  readonly budget: MemoryBudget
  /** Returns the output of a task for its webhooks. */
  readonly outputOf: (task: Task) => JsonObject | undefined
}

/** The formats of the webhooks of all services. */
export interface WebhookFormats {
  /** The name of the format of examples. */
  readonly main: string
  /** The format with a name. */
  of(name: string): WebhookFormat
}

/** How a scenario sends webhooks. */
export interface DispatchRules {
  /** How each service writes, signs and retries them. */
  readonly formats: WebhookFormats
  /** The receivers of the webhooks of every task. */
  readonly receivers: readonly ReceiverSettings[]
  /** Their faults. */
  readonly faults: WebhookFaultRules
  /** Milliseconds since the scenario became active. */
  readonly since: (now: number) => number
}

/** The part of a delivery that is the same for all receivers. */
type Content = Pick<Delivery, 'taskId' | 'format' | 'event' | 'payload' | 'headers'>

/** A delivery that a person or a test requested. */
export interface RequestedDelivery {
  /** The id of the delivery, such as `dlv_00000001`. */
  readonly id: string
  /** Resolves after the first attempt. */
  readonly attempted: Promise<void>
}

/** Opens a delivery for each receiver of an event, applies webhook faults, and passes the deliveries to the runner. */
export class Dispatcher {
  /** The receivers of the events of every task. */
  readonly receivers: Receivers
  /** The pending and the last ended deliveries. */
  readonly log: DeliveryLog
  readonly #parts: DispatcherParts
  readonly #runner: DeliveryRunner
  readonly #barriers: Barriers
  readonly #early = new EarlyDeliveries()
  #rules: DispatchRules

  constructor(parts: DispatcherParts, rules: DispatchRules) {
    this.receivers = parts.receivers
    this.log = new DeliveryLog(parts.budget)
    this.#parts = parts
    this.#rules = rules
    this.receivers.configure(rules.receivers)
    this.#runner = new DeliveryRunner({
      ...parts,
      log: this.log,
      formatOf: (name) => this.#rules.formats.of(name),
    })
    this.#barriers = new Barriers(parts.clock, parts.schedule)
    parts.events.on('delivery.attempted', (delivery) => this.#barriers.openAfterAttempt(delivery))
  }

  /** Replaces the rules for all later webhooks. */
  configure(rules: DispatchRules): void {
    this.#rules = rules
    this.receivers.configure(rules.receivers)
  }

  /**
   * Matches the rules for webhooks that are sent before the response to a task's create request.
   * @returns whether any rule matches; if so, finish the task and await {@link earlyAttempts} before the response
   */
  planEarly(task: Task): boolean {
    const event = eventOfEnd(task.plan.outcome)
    const format = this.#rules.formats.of(task.dialect)
    if (event === undefined || format.nameOf(event) === undefined) return false
    const faults = new Map<string, AppliedWebhookFault>()
    for (const { url } of this.receivers.of(event, task.webhookUrl, format)) {
      const applied = this.#rules.faults.matchEarly(contextOf(task, event, format, url), this.#since)
      if (applied !== undefined) faults.set(url, applied)
    }
    if (faults.size > 0) this.#early.plan(task.id, faults)
    return faults.size > 0
  }

  /** Resolves after the first attempts of the webhooks that {@link planEarly} has planned. */
  earlyAttempts(taskId: string): Promise<void> {
    return this.#early.attempted(taskId)
  }

  /** Sends the event of a task that has ended to the task's own receiver and to the registered ones. */
  announce(task: Task): void {
    const event = eventOfEnd(task.status)
    const format = this.#rules.formats.of(task.dialect)
    const name = event && format.nameOf(event)
    if (event === undefined || name === undefined) return
    const receivers = this.receivers.of(event, task.webhookUrl, format)
    if (receivers.length === 0) return
    const payload = format.body(name, task, this.#parts.outputOf(task))
    const headers = format.headers?.(name, task)
    const content = { taskId: task.id, format: task.dialect, event: name, payload, headers }
    for (const receiver of receivers) {
      const early = this.#early.faultOf(task.id, receiver.url)
      const late = this.#rules.faults.match(contextOf(task, event, format, receiver.url), this.#since)
      this.#dispatch(content, receiver, early ?? late)
    }
  }

  /** Sends the webhooks that wait until a poll shows the final state of a task. */
  releasePolled(taskId: string): void {
    this.#barriers.openAfterPoll(taskId)
  }

  /**
   * Sends the event of a delivery again, without faults.
   * @returns undefined if no delivery has this id
   */
  redeliver(id: string): RequestedDelivery | undefined {
    const known = this.log.get(id)
    return known && this.#request(known, this.receivers.at(known.url), id)
  }

  /**
   * Sends an example of an event, without a task.
   * @param name the name of the event, in any spelling of the service
   * @param url the receiver; all registered receivers that want the event if undefined
   */
  trigger(name: string, url?: string): RequestedDelivery[] {
    const { formats } = this.#rules
    const format = formats.of(formats.main)
    const event = format.eventOf(name) ?? 'task.succeeded'
    const receivers =
      url === undefined ? this.receivers.of(event, undefined, format) : [this.receivers.at(url)]
    const task = exampleTask(event, formats.main, format.exampleTaskId)
    const payload = format.body(name, task, task.status === 'succeeded' ? EXAMPLE_OUTPUT : undefined)
    const headers = format.headers?.(name, task)
    const content = { taskId: task.id, format: formats.main, event: name, payload, headers }
    return receivers.map((receiver) => this.#request(content, receiver))
  }

  /** Drops all deliveries, including those that are being sent. */
  clear(): void {
    this.#runner.clear()
    this.#barriers.clear()
    this.#early.clear()
    this.log.clear()
  }

  #request(content: Content, receiver: Receiver, copyOf?: string): RequestedDelivery {
    const delivery = this.#open(content, receiver, { copyOf })
    const attempted = new Promise<void>((resolve) => {
      this.#runner.run({ delivery, receiver, fault: {}, isForced: true, onAttempt: resolve })
    })
    return { id: delivery.id, attempted }
  }

  #dispatch(content: Content, receiver: Receiver, applied: AppliedWebhookFault | undefined): void {
    const { fault = {}, rule } = applied ?? {}
    let delivery = this.#open(content, receiver, { rule, state: fault.lost ? 'lost' : 'pending' })
    if (fault.lost) return
    const sendCopy = () => {
      const copy = this.#open(content, receiver, { rule, copyOf: delivery.id })
      this.#runner.run({ delivery: copy, receiver, fault })
    }
    const isEarly = fault.timing === 'before_response'
    const onAttempt = isEarly ? this.#early.expectAttempt(content.taskId) : undefined
    const onEnd = fault.duplicate === 'in_turn' ? sendCopy : undefined
    const send = () => {
      this.#runner.run({ delivery, receiver, fault, onAttempt, onEnd })
      if (fault.duplicate === 'at_once') sendCopy()
    }
    const nextAt = this.#barriers.hold(delivery, applied, send)
    if (nextAt === undefined) {
      send()
      return
    }
    delivery = { ...delivery, nextAt }
    this.log.put(delivery, delivery.state)
  }

  #open(
    content: Content,
    { url }: Receiver,
    details: Partial<Pick<Delivery, 'rule' | 'copyOf' | 'state'>>,
  ): Delivery {
    const delivery = this.log.open({
      taskId: content.taskId,
      format: content.format,
      event: content.event,
      url,
      payload: content.payload,
      headers: content.headers,
      createdAt: this.#parts.clock.now(),
      rule: details.rule,
      copyOf: details.copyOf,
      state: details.state ?? 'pending',
    })
    this.#parts.events.emit('delivery.opened', delivery)
    return delivery
  }

  get #since(): number {
    return this.#rules.since(this.#parts.clock.now())
  }
}
