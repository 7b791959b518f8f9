import { drawDelay } from '../../scenario/model/delay.js'
import type { WebhookSettings } from '../../scenario/model/scenario.js'
import type { JsonObject } from '../json.js'
import type { MemoryBudget } from '../memory/budget.js'
import type { Status, Task } from '../tasks/task.js'
import { Courier, type Parcel } from './courier.js'
import type { Delivery } from './delivery.js'
import { DeliveryLog } from './delivery-log.js'
import { type EventName, eventOf, exampleOf, webhookBody } from './event.js'
import { Held } from './held.js'
import type { Receiver, Receivers } from './receivers.js'
import type { SenderParts } from './sender.js'
import type { Transport } from './transport.js'
import type { AppliedWebhookFault, WebhookFaultContext, WebhookFaultRules } from './webhook-fault-rules.js'

/** What the dispatcher is built from. */
export interface DispatcherParts extends SenderParts {
  /** Who gets the webhooks of every task. */
  readonly receivers: Receivers
  /** How webhooks leave. */
  readonly transport: Transport
  /** The bytes that may be retained. */
  readonly budget: MemoryBudget
  /** The output of a task as a webhook shows it. */
  readonly outputOf: (task: Task) => JsonObject | undefined
  /** Hears that everybody was told of a task's end. */
  readonly onTold: (taskId: string) => void
}

/** How webhooks are sent by one scenario. */
export interface DispatchRules {
  /** How they are signed, sent and tried again. */
  readonly settings: WebhookSettings
  /** What goes wrong with them. */
  readonly faults: WebhookFaultRules
  /** Milliseconds since the scenario came into force. */
  readonly since: (now: number) => number
}

/** What is sent before the answer to a task's creation. */
interface Early {
  /** The fault that demands it, by the receiver's URL. */
  readonly done: ReadonlyMap<string, AppliedWebhookFault>
  readonly tried: Promise<void>[]
}

/** One event for one receiver. */
interface Notice {
  readonly taskId: string
  readonly event: string
  readonly receiver: Receiver
  readonly body: Uint8Array<ArrayBuffer>
}

/** A delivery that was asked for. */
export interface Sending {
  /** Of the delivery, such as `dlv_00000001`. */
  readonly id: string
  /** Resolves when an attempt has ended. */
  readonly tried: Promise<void>
}

/** Decides what is sent to whom when a task has ended, and hands it to the courier. */
export class Dispatcher {
  /** Who gets the webhooks of every task. */
  readonly receivers: Receivers
  /** What was sent. */
  readonly log: DeliveryLog
  readonly #parts: DispatcherParts
  readonly #courier: Courier
  readonly #held: Held
  readonly #early = new Map<string, Early>()
  #rules: DispatchRules

  constructor(parts: DispatcherParts, rules: DispatchRules) {
    this.receivers = parts.receivers
    this.log = new DeliveryLog(parts.budget)
    this.#parts = parts
    this.#rules = rules
    this.receivers.configure(rules.settings.receivers)
    this.#held = new Held(parts.clock, parts.schedule)
    this.#courier = new Courier({
      ...parts,
      log: this.log,
      settings: () => this.#rules.settings,
      onAttempt: ({ url, id }) => this.#held.happened(`next ${url}`, id),
      onEnd: ({ taskId }) => {
        if (!this.log.isPending(taskId)) parts.onTold(taskId)
      },
    })
  }

  /** Takes other rules for what is sent from now on. */
  configure(rules: DispatchRules): void {
    this.#rules = rules
    this.receivers.configure(rules.settings.receivers)
  }

  /** Whether a new task is to end, and its event to be sent, before its creation is answered. */
  comesFirst(task: Task): boolean {
    const { outcome } = task.plan
    const event = outcome === 'stuck' ? undefined : this.#eventFor(outcome)
    if (event === undefined) return false
    const done = new Map<string, AppliedWebhookFault>()
    for (const { url } of this.receivers.of(event, task.webhookUrl)) {
      const early = this.#rules.faults.comesFirst(victim(task, event, url), this.#since)
      if (early !== undefined) done.set(url, early)
    }
    if (done.size > 0) this.#early.set(task.id, { done, tried: [] })
    return done.size > 0
  }

  /** Resolves when what goes before the answer to a task's creation has been tried. */
  async tried(taskId: string): Promise<void> {
    const early = this.#early.get(taskId)
    this.#early.delete(taskId)
    await Promise.all(early?.tried ?? [])
  }

  /** Sends the event of a task that has ended to its own receiver and to the registered ones. */
  announce(task: Task): void {
    const event = this.#eventFor(task.status)
    if (event === undefined) return
    const receivers = this.receivers.of(event, task.webhookUrl)
    if (receivers.length === 0) return
    const body = webhookBody(event, task, this.#parts.outputOf(task))
    for (const receiver of receivers) {
      const early = this.#early.get(task.id)?.done.get(receiver.url)
      const late = this.#rules.faults.befalling(victim(task, event, receiver.url), this.#since)
      this.#dispatch({ taskId: task.id, event, receiver, body }, early ?? late)
    }
  }

  /** Tells that a poller has seen the final state of a task. */
  seen(taskId: string): void {
    this.#held.happened(`seen ${taskId}`)
  }

  /**
   * Sends what a delivery holds once more, with nothing wrong about it.
   * @returns undefined where there is none of this id
   */
  redeliver(id: string): Sending | undefined {
    const known = this.log.get(id)
    if (known === undefined) return undefined
    const { taskId, event, url, payload } = known
    return this.#sendAsIs({ taskId, event, receiver: this.receivers.at(url), body: payload }, id)
  }

  /**
   * Sends an example of an event, without a task.
   * @param url who gets it; all registered receivers that want it where undefined
   */
  trigger(event: EventName, url?: string): Sending[] {
    const receivers = url === undefined ? this.receivers.of(event, undefined) : [this.receivers.at(url)]
    const { taskId, body } = exampleOf(event)
    return receivers.map((receiver) => this.#sendAsIs({ taskId, event, receiver, body }))
  }

  /** Abandons all deliveries, those on the wire included. */
  clear(): void {
    this.#courier.clear()
    this.#held.clear()
    this.#early.clear()
    this.log.clear()
  }

  #sendAsIs(notice: Notice, copyOf?: string): Sending {
    const delivery = this.#open(notice, { copyOf })
    const tried = new Promise<void>((resolve) => {
      this.#courier.send(delivery, { ...notice, fault: {}, isAskedFor: true, onAttempt: resolve })
    })
    return { id: delivery.id, tried }
  }

  #dispatch(notice: Notice, done: AppliedWebhookFault | undefined): void {
    const { fault = {}, rule } = done ?? {}
    let delivery = this.#open(notice, { rule, state: fault.lost ? 'lost' : 'pending' })
    if (fault.lost) return
    const copy = () =>
      this.#courier.send(this.#open(notice, { rule, copyOf: delivery.id }), { ...notice, fault })
    const parcel: Parcel = {
      ...notice,
      fault,
      ...(fault.timing === 'before_response' && { onAttempt: this.#promise(notice.taskId) }),
      ...(fault.duplicate === 'in_turn' && { onEnd: copy }),
    }
    const go = () => {
      this.#courier.send(delivery, parcel)
      if (fault.duplicate === 'at_once') copy()
    }
    const nextAt = this.#postpone(delivery, done, go)
    if (nextAt === undefined) {
      go()
      return
    }
    delivery = { ...delivery, nextAt }
    this.log.put(delivery, delivery.state)
  }

  /** Holds something back as the fault demands. @returns when it goes on at the latest; undefined for at once */
  #postpone(
    { id, taskId, url }: Delivery,
    done: AppliedWebhookFault | undefined,
    go: () => void,
  ): number | undefined {
    const { clock, schedule } = this.#parts
    const { delay, timing } = done?.fault ?? {}
    if (delay !== undefined) {
      const at =
        clock.now() +
        drawDelay(delay, () => (done as AppliedWebhookFault).chance.stream('webhook fault delay'))
      schedule.at(at, go)
      return at
    }
    if (timing === 'after_poll') return this.#held.until(`seen ${taskId}`, id, go)
    if (timing === 'out_of_order') return this.#held.until(`next ${url}`, id, go)
    return undefined
  }

  /** Lets the answer to a task's creation wait for an attempt. @returns what to call when it has ended */
  #promise(taskId: string): () => void {
    let keep = () => {}
    this.#early.get(taskId)?.tried.push(
      new Promise((resolve) => {
        keep = resolve
      }),
    )
    return keep
  }

  #open(
    { taskId, event, receiver, body }: Notice,
    { rule, copyOf, state = 'pending' }: Partial<Pick<Delivery, 'rule' | 'copyOf' | 'state'>>,
  ): Delivery {
    const delivery: Delivery = {
      id: this.log.nextId(),
      taskId,
      event,
      url: receiver.url,
      state,
      createdAt: this.#parts.clock.now(),
      nextAt: undefined,
      attempts: [],
      payload: body,
      rule,
      copyOf,
    }
    this.log.put(delivery)
    this.#parts.events.emit('delivery.opened', delivery)
    return delivery
  }

  #eventFor(status: Status): string | undefined {
    return eventOf(status, this.#rules.settings.canceledEvent)
  }

  get #since(): number {
    return this.#rules.since(this.#parts.clock.now())
  }
}

function victim(
  { id, owner, model, kind, input, plan }: Task,
  event: string,
  url: string,
): WebhookFaultContext {
  return { taskId: id, key: owner, model, kind, input, event, url, own: plan.webhookFault }
}
