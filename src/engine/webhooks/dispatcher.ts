import { after } from '../awaitable.js'
import type { MemoryBudget } from '../memory/budget.js'
import type { NewTask } from '../tasks/new-task.js'
import type { Follow, Task } from '../tasks/task.js'
import { Barriers } from './barriers.js'
import type { Delivery } from './delivery.js'
import { DeliveryLog } from './delivery-log.js'
import { DeliveryRunner, type DeliveryRunnerParts } from './delivery-runner.js'
import { EarlyDeliveries } from './early-deliveries.js'
import {
  type EventContent,
  EventContents,
  type EventContentsParts,
  exampleContent,
} from './event-contents.js'
import type { Addressee, ReceiverSettings, Receivers } from './receivers.js'
import { SendOrder } from './send-order.js'
import { eventOfEnd, isEndEvent, type TaskEvent } from './task-event.js'
import { type AppliedWebhookFault, contextOf, type WebhookFaultRules } from './webhook-fault-rules.js'
import type { WebhookFormat } from './webhook-format.js'

/** The parts that {@link Dispatcher} needs. */
export interface DispatcherParts extends Omit<DeliveryRunnerParts, 'log' | 'formatOf'>, EventContentsParts {
  /** Limits the bytes that the delivery log retains. */
  readonly budget: MemoryBudget
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

/** A delivery that a person or a test requested. */
export interface RequestedDelivery {
  /** The id of the delivery, such as `dlv_00000001`. */
  readonly id: string
  /** Resolves after the first attempt. */
  readonly attempted: Promise<void>
}

/** A message that is about no task. */
export interface Ping extends Pick<Delivery, 'event' | 'payload'> {}

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
  readonly #order: SendOrder
  readonly #contents: EventContents
  #rules: DispatchRules
  /** Changes with each reset, so that an event from before the reset is not sent. */
  #generation = 0

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
    this.#order = new SendOrder(parts.clock, parts.schedule)
    this.#contents = new EventContents(parts)
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
    if (event === undefined || format.nameOf(event, task) === undefined) return false
    const faults = new Map<string, AppliedWebhookFault>()
    for (const { url } of this.#receiversOf(event, task, format)) {
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

  /**
   * What to report about a task while it runs, because its service has events for it and a receiver wants them.
   * @param order the order of the task
   */
  followOf(order: Pick<NewTask, 'owner' | 'dialect' | 'webhookUrl' | 'extra'>): Follow | undefined {
    const { owner, dialect = this.#rules.formats.main, webhookUrl, extra } = order
    const format = this.#rules.formats.of(dialect)
    if (format.follow === undefined) return undefined
    const intervalOf = (event: TaskEvent, interval: number | undefined) => {
      if (format.nameOf(event, { extra }) === undefined) return undefined
      const receivers = this.#receiversOf(event, { owner, dialect, webhookUrl, extra }, format)
      return receivers.length > 0 ? interval : undefined
    }
    const logs = intervalOf('task.logs', format.follow.logs)
    const outputs = intervalOf('task.output', format.follow.outputs)
    return logs === undefined && outputs === undefined ? undefined : { logs, outputs }
  }

  /**
   * Sends an event of a task to the task's own receiver and to the registered ones, if its service has such an event.
   * @param isNew whether the create request of the task has not been answered yet
   */
  announce(event: TaskEvent, task: Task, { isNew = false }: { readonly isNew?: boolean } = {}): void {
    const format = this.#rules.formats.of(task.dialect)
    const name = format.nameOf(event, task)
    if (name === undefined) return
    const receivers = this.#receiversOf(event, task, format)
    if (receivers.length === 0) return
    const generation = this.#generation
    after(this.#contents.of({ event, name }, task, format), (content) => {
      if (generation !== this.#generation) return
      for (const receiver of receivers) {
        const early = isEndEvent(event) ? this.#early.faultOf(task.id, receiver.url) : undefined
        const late = this.#rules.faults.match(contextOf(task, event, format, receiver.url), this.#since)
        this.#dispatch(content, receiver, { applied: early ?? late, isNew })
      }
    })
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
    if (known === undefined) return undefined
    const { url, registration, isOwn } = known
    return this.#request(known, { ...this.receivers.at(url, registration), isOwn }, id)
  }

  /**
   * Sends an example of an event, without a task.
   * @param name the name of the event, in any spelling of the service
   * @param url the receiver; all registered receivers that want the event if undefined
   * @param dialect the name of the service's wire format, which must be loaded; the main one by default
   */
  trigger(name: string, url?: string, dialect = this.#rules.formats.main): RequestedDelivery[] {
    const { formats } = this.#rules
    const format = formats.of(dialect)
    const event = format.eventOf(name) ?? 'task.succeeded'
    const ownName = dialect === formats.main ? name : (format.nameOf(event) ?? name)
    const receivers =
      url === undefined ? this.receivers.of(event, { dialect }, format) : [this.receivers.at(url)]
    const content = exampleContent({ event, name: ownName }, dialect, format)
    return receivers.map((receiver) => this.#request(content, receiver))
  }

  /**
   * Sends a message to a receiver that is about no task, without faults.
   * @param message its event, as the service calls it, and its body
   * @param dialect the name of the service's wire format
   */
  ping(receiver: Addressee, { event, payload }: Ping, dialect: string): RequestedDelivery {
    const { exampleTaskId: taskId } = this.#rules.formats.of(dialect)
    const content = { taskId, format: dialect, event, taskEvent: 'task.succeeded', payload } as const
    return this.#request({ ...content, headers: undefined }, receiver)
  }

  /** Drops all deliveries, including those that are being sent. */
  clear(): void {
    this.#generation += 1
    this.#order.clear()
    this.#runner.clear()
    this.#barriers.clear()
    this.#early.clear()
    this.log.clear()
  }

  #request(content: EventContent, receiver: Addressee, copyOf?: string): RequestedDelivery {
    const delivery = this.#open(content, receiver, { copyOf })
    const attempted = new Promise<void>((resolve) => {
      this.#runner.run({ delivery, receiver, fault: {}, isForced: true, onAttempt: resolve })
    })
    return { id: delivery.id, attempted }
  }

  /** The receivers of an event of a task: its own one if its request asks for the event, and the registered ones. */
  #receiversOf(
    event: TaskEvent,
    { dialect, owner, webhookUrl, extra }: Pick<Task, 'dialect' | 'owner' | 'webhookUrl' | 'extra'>,
    format: WebhookFormat,
  ): readonly Addressee[] {
    const isRequested = format.isRequested?.(event, { extra }) ?? true
    const all = format.ownUrls?.({ webhookUrl, extra }) ?? (webhookUrl === undefined ? [] : [webhookUrl])
    return this.receivers.of(event, { dialect, owner, own: isRequested ? all : [] }, format)
  }

  #dispatch(
    content: EventContent,
    receiver: Addressee,
    { applied, isNew }: { readonly applied: AppliedWebhookFault | undefined; readonly isNew: boolean },
  ): void {
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
      // The create request waits for a webhook that is sent before its answer.
      if (isEarly) this.#order.flush(content.taskId)
      if (isNew) this.#order.defer(content.taskId, send)
      else this.#order.send(content.taskId, send)
      return
    }
    delivery = { ...delivery, nextAt }
    this.log.put(delivery, delivery.state)
  }

  #open(
    content: EventContent,
    { url, registration, isOwn }: Addressee,
    details: Partial<Pick<Delivery, 'rule' | 'copyOf' | 'state'>>,
  ): Delivery {
    const delivery = this.log.open({
      taskId: content.taskId,
      format: content.format,
      event: content.event,
      taskEvent: content.taskEvent,
      url,
      registration: registration?.id,
      isOwn,
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
