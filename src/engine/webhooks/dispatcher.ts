import { after } from '../awaitable.js'
import type { Clock } from '../clock/clock.js'
import type { Exploring, NamedWebhookFault } from '../exploration/exploration.js'
import { mergedHeaders } from '../requests/headers.js'
import type { Follow, Task } from '../tasks/task.js'
import type { NewTask } from '../tasks/task-factory.js'
import type { Delivery } from './deliveries/delivery.js'
import type { DeliveryLog } from './deliveries/delivery-log.js'
import type { DeliverySender, RequestedDelivery } from './deliveries/delivery-sender.js'
import { contentOf, type EventContents, type ExampleState, type NamedEvent } from './events/event-contents.js'
import { END_EVENTS, eventOfEnd, isEndEvent, type TaskEvent } from './events/task-event.js'
import { deliveriesWith, type WebhookFault } from './faults/webhook-fault.js'
import { type AppliedWebhookFault, contextOf, type WebhookFaultRules } from './faults/webhook-fault-rules.js'
import { eventReceivers, receiversOf, type TaskOfEvent } from './receivers/event-receivers.js'
import type { Addressee, ReceiverSettings } from './receivers/receiver.js'
import type { Receivers } from './receivers/receivers.js'
import type { WebhookFormat } from './webhook-format.js'

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

/** A message that is about no task. */
export interface Ping extends Pick<Delivery, 'event' | 'payload'> {}

/** What differs from the delivery that is sent again. */
export interface Redelivery extends Pick<WebhookFault, 'signature'> {
  /** Another body, signed. */
  readonly body?: string | undefined
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Opens a delivery for each receiver of an event, with the webhook fault that applies to it. */
export class Dispatcher {
  /** The receivers of the events of every task. */
  readonly receivers: Receivers
  /** Sends the deliveries. */
  readonly sender: DeliverySender
  readonly #clock: Clock
  readonly #contents: EventContents
  readonly #exploring: Exploring
  #rules: DispatchRules
  /** Changes with each reset, so that an event from before the reset is not sent. */
  #generation = 0

  constructor({
    clock,
    receivers,
    sender,
    contents,
    exploring,
    rules,
  }: {
    clock: Clock
    receivers: Receivers
    sender: DeliverySender
    contents: EventContents
    exploring: Exploring
    rules: DispatchRules
  }) {
    this.#clock = clock
    this.receivers = receivers
    this.sender = sender
    this.#contents = contents
    this.#exploring = exploring
    this.#rules = rules
    this.receivers.configure(rules.receivers)
  }

  /** The pending and the last ended deliveries. */
  get log(): DeliveryLog {
    return this.sender.pending.log
  }

  /** The faults of the rules for all later webhooks. */
  get faults(): WebhookFaultRules {
    return this.#rules.faults
  }

  /** How the service with a wire format writes, signs and retries webhooks. */
  formatOf(name: string): WebhookFormat {
    return this.#rules.formats.of(name)
  }

  /** Replaces the rules for all later webhooks. */
  configure(rules: DispatchRules): void {
    this.#rules = rules
    this.receivers.configure(rules.receivers)
  }

  /**
   * Matches the rules for webhooks that are sent before the response to a task's create request.
   * @returns whether any rule matches; if so, finish the task and await the early attempts of {@link sender} before
   * the response
   */
  planEarly(task: Task): boolean {
    const mayBeEarly = this.#rules.faults.haveEarly || task.plan.webhookFault !== undefined
    if (!mayBeEarly && this.#exploring.current === undefined) return false
    const event = eventOfEnd(task.plan.outcome)
    const format = this.#rules.formats.of(task.dialect)
    if (event === undefined) return false
    const faults = new Map<string, AppliedWebhookFault>()
    for (const { url } of this.#receiversOf(event, task, format)) {
      const applied =
        appliedOf(this.#exploring.current?.earlyWebhookFault(task, event)) ??
        this.#rules.faults.matchEarly(contextOf(task, event, format, url), this.#since)
      if (applied !== undefined) faults.set(url, applied)
    }
    if (faults.size > 0) this.sender.early.plan(task.id, faults)
    return faults.size > 0
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
    if (receivers.length > 0) this.#send({ event, name }, task, format, receivers, isNew)
  }

  #send(
    named: NamedEvent,
    task: Task,
    format: WebhookFormat,
    receivers: readonly Addressee[],
    isNew: boolean,
  ): void {
    const generation = this.#generation
    // The content is ready in the present turn of the event loop, so a ledger stores the deliveries with their cause.
    after(this.#contents.of(named, task, format), (content) => {
      if (generation !== this.#generation) return
      for (const receiver of receivers) {
        const applied = this.#faultOf(named.event, task, format, receiver.url)
        this.sender.send(content, receiver, { applied, isNew })
      }
    })
  }

  /** Whether a receiver wants to know how a task ends. */
  announcesEnd(task: TaskOfEvent): boolean {
    const format = this.#rules.formats.of(task.dialect)
    return END_EVENTS.some((event) => this.#receiversOf(event, task, format).length > 0)
  }

  /**
   * How many attempts an event of a task would take if all receivers accepted it. Its faults count it as sent.
   * @param mayCall whether webhooks may go to a URL; all attempts at others fail
   */
  countAttempts(event: TaskEvent, task: Task, mayCall: (url: string) => boolean): number {
    const format = this.#rules.formats.of(task.dialect)
    let attempts = 0
    for (const { url, retries = format.retriesOf(event) } of this.#receiversOf(event, task, format)) {
      const deliveries = deliveriesWith(this.#faultOf(event, task, format, url)?.fault)
      attempts += deliveries * (mayCall(url) ? 1 : 1 + retries.length)
    }
    return attempts
  }

  /**
   * Sends the event of a delivery again, without the faults of the scenario.
   * @returns undefined if no delivery has this id
   */
  redeliver(id: string, { body, headers, signature }: Redelivery = {}): RequestedDelivery | undefined {
    const known = this.log.get(id)
    if (known === undefined) return undefined
    const { url, registration, isOwn } = known
    const content = {
      ...known,
      payload: body === undefined ? known.payload : new TextEncoder().encode(body),
      headers: headers === undefined ? known.headers : mergedHeaders(known.headers, headers),
    }
    const receiver = { ...this.receivers.at(url, registration), isOwn }
    const fault = signature && { signature, attempts: 'all' as const }
    return this.sender.request(content, receiver, { copyOf: id, fault })
  }

  /**
   * Sends an example of an event, without a task.
   * @param example creates the task of the example; it is given, so that only its user loads it
   * @param name the name of the event, in any spelling of the service
   * @param url the receiver; all registered receivers that want the event if undefined
   * @param dialect the name of the service's wire format, which must be loaded; the main one by default
   */
  trigger(
    example: ExampleState,
    name: string,
    url?: string,
    dialect = this.#rules.formats.main,
  ): RequestedDelivery[] {
    const { formats } = this.#rules
    const format = formats.of(dialect)
    const event = format.eventOf(name) ?? 'task.succeeded'
    const ownName = dialect === formats.main ? name : (format.nameOf(event) ?? name)
    const receivers =
      url === undefined
        ? receiversOf(this.receivers.list(), event, { dialect }, format)
        : [this.receivers.at(url)]
    const state = example(event, dialect, format.exampleTaskId)
    const content = contentOf({ event, name: ownName }, state, format)
    return receivers.map((receiver) => this.sender.request(content, receiver))
  }

  /**
   * Sends a message to a receiver that is about no task, without faults.
   * @param message its event, as the service calls it, and its body
   * @param dialect the name of the service's wire format
   */
  ping(receiver: Addressee, { event, payload }: Ping, dialect: string): RequestedDelivery {
    const { exampleTaskId: taskId } = this.#rules.formats.of(dialect)
    const content = { taskId, format: dialect, event, taskEvent: 'task.succeeded', payload } as const
    return this.sender.request({ ...content, headers: undefined }, receiver)
  }

  /** Drops all deliveries, including those that are being sent. */
  clear(): void {
    this.#generation += 1
    this.sender.clear()
  }

  #receiversOf(event: TaskEvent, task: TaskOfEvent, format: WebhookFormat): readonly Addressee[] {
    return eventReceivers(this.receivers.list(), event, task, format)
  }

  #faultOf(
    event: TaskEvent,
    task: Task,
    format: WebhookFormat,
    url: string,
  ): AppliedWebhookFault | undefined {
    const early = isEndEvent(event) ? this.sender.early.faultOf(task.id, url) : undefined
    const late = this.#rules.faults.match(contextOf(task, event, format, url), this.#since)
    return early ?? appliedOf(this.#exploring.current?.webhookFault(task, event)) ?? late
  }

  get #since(): number {
    return this.#rules.since(this.#clock.now())
  }
}

/** The delays of deviations are numbers. */
function appliedOf(named: NamedWebhookFault | undefined): AppliedWebhookFault | undefined {
  if (named === undefined) return undefined
  const { delay } = named.fault
  return { ...named, delay: typeof delay === 'number' ? delay : undefined }
}
