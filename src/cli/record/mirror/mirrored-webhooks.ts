import type { Dialect } from '../../../dialects/dialect.js'
import { readWebhook } from '../../../dialects/reading/read-webhook.js'
import { fingerprintOf } from '../../../engine/digest.js'
import { isJsonObject, type JsonValue } from '../../../engine/json.js'
import { Recent } from '../../../engine/recent.js'
import { isSuccess } from '../../../engine/requests/statuses.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { Attempt, Delivery } from '../../../engine/webhooks/deliveries/delivery.js'
import { eventOfEnd, type TaskEvent } from '../../../engine/webhooks/events/task-event.js'
import type { PassedExchange } from '../../../record/recording/passed-exchange.js'
import type { Simulator } from '../../../simulator/simulator.js'
import { jsonIn, textIn } from '../read-exchange.js'

/** Shows the webhooks of the service as deliveries of a simulator. */
export class MirroredWebhooks {
  readonly #sim: Simulator
  readonly #dialect: Dialect
  /** The ids of deliveries, by their receivers and bodies: retries of a webhook have the same body. */
  readonly #known = new Recent<string, string>()

  constructor(sim: Simulator, dialect: Dialect) {
    this.#sim = sim
    this.#dialect = dialect
  }

  /** Shows a webhook, and the answer of the receiver. @param task the task that it is about */
  show(passed: PassedExchange, task: Task): void {
    const { log } = this.#sim.webhooks
    const identity = `${passed.request.url} ${fingerprintOf(passed.request.body)}`
    const earlier = log.get(this.#known.get(identity) ?? '')
    const delivery =
      earlier?.state === 'pending' ? earlier : log.open(this.#detailsOf(passed, task, earlier?.id))
    this.#known.set(identity, delivery.id)
    const attempt = attemptIn(passed, delivery.attempts.length + 1)
    // Nobody knows whether the service tries a failed webhook again.
    const shown: Delivery = {
      ...delivery,
      attempts: [...delivery.attempts, attempt],
      state: isSuccess(attempt.status) ? 'delivered' : 'pending',
    }
    log.put(shown, delivery.state)
    this.#sim.events.emit('delivery.attempted', shown, attempt)
  }

  #detailsOf({ at, request }: PassedExchange, task: Task, copyOf: string | undefined) {
    const event = this.#eventIn(request.body, task)
    const payload = new Uint8Array(request.body)
    const about = {
      taskId: task.id,
      format: this.#dialect.name,
      taskEvent: event.taskEvent,
      event: event.name,
    }
    return {
      ...about,
      url: request.url,
      isOwn: true,
      state: 'pending',
      createdAt: at,
      payload,
      rule: undefined,
      copyOf,
    } as const
  }

  /** The event of a webhook. One that is not known counts as the end: the client may have learned of it. */
  #eventIn(bytes: Uint8Array, task: Task): { readonly name: string; readonly taskEvent: TaskEvent } {
    const body = jsonIn(bytes) ?? null
    const format = this.#dialect.webhooks(this.#sim.scenario)
    const name = isJsonObject(body) ? NAMES.map((field) => body[field]).find(isText) : undefined
    const state = (isJsonObject(body) ? readWebhook(this.#dialect, body)?.status : undefined) ?? task.status
    const taskEvent =
      (name && format.eventOf(name)) ||
      (eventOfEnd(state) ?? (state === 'processing' ? 'task.started' : 'task.succeeded'))
    return { name: name ?? format.nameOf(taskEvent, task) ?? taskEvent, taskEvent }
  }
}

/** The fields that usually hold the name of an event. */
const NAMES = ['type', 'event']

function isText(value: JsonValue | undefined): value is string {
  return typeof value === 'string'
}

function attemptIn({ at, took, request, response }: PassedExchange, number: number): Attempt {
  const text = response && textIn(response.body, response.headers['content-type'])
  return {
    number,
    startedAt: at,
    took,
    status: response?.status,
    error: response === undefined ? 'no answer' : undefined,
    retryAt: undefined,
    sent: { headers: request.headers, body: request.body },
    flaw: undefined,
    answer: response && {
      status: response.status,
      headers: response.headers,
      body: text?.slice(0, LONGEST_ANSWER),
    },
  }
}

const LONGEST_ANSWER = 4_096
