import type { WebhookSettings } from '../../scenario/model/scenario.js'
import type { JsonObject } from '../json.js'
import type { MemoryBudget } from '../memory/budget.js'
import type { Task } from '../tasks/task.js'
import { Barriers } from './barriers.js'
import type { Delivery } from './delivery.js'
import { DeliveryLog } from './delivery-log.js'
import { DeliveryRunner, type DeliveryRunnerParts } from './delivery-runner.js'
import { EarlyDeliveries } from './early-deliveries.js'
import { type EventName, eventOf, exampleOf, webhookBody } from './event.js'
import type { Receiver, Receivers } from './receivers.js'
import { type AppliedWebhookFault, contextOf, type WebhookFaultRules } from './webhook-fault-rules.js'

/** The parts that {@link Dispatcher} needs. */
export interface DispatcherParts extends Omit<DeliveryRunnerParts, 'log' | 'settings'> {
  /** Limits the bytes that the delivery log retains. */
  readonly budget: MemoryBudget
  /** Returns the output of a task for its webhooks. */
  readonly outputOf: (task: Task) => JsonObject | undefined
}

/** How a scenario sends webhooks. */
export interface DispatchRules {
  /** How they are signed, sent and retried. */
  readonly settings: WebhookSettings
  /** Their faults. */
  readonly faults: WebhookFaultRules
  /** Milliseconds since the scenario became active. */
  readonly since: (now: number) => number
}

/** The part of a delivery that is the same for all receivers. */
type Content = Pick<Delivery, 'taskId' | 'event' | 'payload'>

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
    this.receivers.configure(rules.settings.receivers)
    this.#runner = new DeliveryRunner({ ...parts, log: this.log, settings: () => this.#rules.settings })
    this.#barriers = new Barriers(parts.clock, parts.schedule)
    parts.events.on('delivery.attempted', (delivery) => this.#barriers.openAfterAttempt(delivery))
  }

  /** Replaces the rules for all later webhooks. */
  configure(rules: DispatchRules): void {
    this.#rules = rules
    this.receivers.configure(rules.settings.receivers)
  }

  /**
   * Matches the rules for webhooks that are sent before the response to a task's create request.
   * @returns whether any rule matches; if so, finish the task and await {@link earlyAttempts} before the response
   */
  planEarly(task: Task): boolean {
    const { outcome } = task.plan
    const event = outcome === 'stuck' ? undefined : eventOf(outcome, this.#rules.settings.canceledEvent)
    if (event === undefined) return false
    const faults = new Map<string, AppliedWebhookFault>()
    for (const { url } of this.receivers.of(event, task.webhookUrl)) {
      const applied = this.#rules.faults.matchEarly(contextOf(task, event, url), this.#since)
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
    const event = eventOf(task.status, this.#rules.settings.canceledEvent)
    if (event === undefined) return
    const receivers = this.receivers.of(event, task.webhookUrl)
    if (receivers.length === 0) return
    const payload = webhookBody(event, task, this.#parts.outputOf(task))
    for (const receiver of receivers) {
      const early = this.#early.faultOf(task.id, receiver.url)
      const late = this.#rules.faults.match(contextOf(task, event, receiver.url), this.#since)
      this.#dispatch({ taskId: task.id, event, payload }, receiver, early ?? late)
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
   * @param url the receiver; all registered receivers that want the event if undefined
   */
  trigger(event: EventName, url?: string): RequestedDelivery[] {
    const receivers = url === undefined ? this.receivers.of(event, undefined) : [this.receivers.at(url)]
    const { taskId, body } = exampleOf(event)
    return receivers.map((receiver) => this.#request({ taskId, event, payload: body }, receiver))
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
    const { taskId, event, payload } = content
    const delivery = this.log.open({
      taskId,
      event,
      url,
      payload,
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
