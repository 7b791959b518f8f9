import type { Dialect } from '../../../dialects/dialect.js'
import type { RequestNote } from '../../../engine/events.js'
import type { Status, Task } from '../../../engine/tasks/task.js'
import { answeredRequest } from '../../../http/answered-request.js'
import type { Reply } from '../../../http/exchange/exchange.js'
import { Problem } from '../../../http/exchange/problem.js'
import { readNewOrder } from '../../../http/handlers/create-task.js'
import type { Exchange, ServiceExchange } from '../../../http/operation.js'
import type { SeenExchange } from '../../../record/exchanges/exchange.js'
import type { PassedExchange } from '../../../record/recording/passed-exchange.js'
import type { Simulator } from '../../../simulator.js'
import type { SeenOrder } from './mirrored-task.js'
import { nextCursorIn } from './next-cursor.js'
import { observedStates } from './observed-states.js'
import { openPassed } from './open-passed.js'
import { secretTexts, withoutSecrets } from './secret-texts.js'
import { textIn } from './seen-exchange.js'

/** Reports exchanges that passed through the proxy to the journal, as the pipeline reports those of a simulator. */
export class ExchangeReport {
  readonly #sim: Simulator
  readonly #dialect: Dialect
  #count = 0

  constructor(sim: Simulator, dialect: Dialect) {
    this.#sim = sim
    this.#dialect = dialect
  }

  /** Finds the operation of an exchange. */
  async open(passed: PassedExchange): Promise<OpenReport> {
    this.#count += 1
    return new OpenReport(
      await openPassed(this.#sim, this.#dialect, passed, this.#count),
      passed,
      this.#dialect,
    )
  }
}

/** The report of one exchange. */
class OpenReport {
  readonly #exchange: Exchange
  readonly #passed: PassedExchange
  readonly #dialect: Dialect

  constructor(exchange: Exchange, passed: PassedExchange, dialect: Dialect) {
    this.#exchange = exchange
    this.#passed = passed
    this.#dialect = dialect
  }

  /** Reads what the request shows about the tasks in its answer. Our own reading may be stricter than the service. */
  async order(): Promise<SeenOrder> {
    const { key, request } = this.#exchange
    const common = { owner: key, origin: request.origin }
    const created = await attempt(() => this.#readOrder())
    return created === undefined ? { ...common, isCreate: false } : { ...common, ...created, isCreate: true }
  }

  async #readOrder() {
    const exchange = this.#exchange
    if (!isOfService(exchange)) return undefined
    const { action } = exchange.operation
    if (action?.operation !== 'tasks.create') return undefined
    const { wait = 0, stream, model, kind, input, webhookUrl, extra } = await readNewOrder(action, exchange)
    if (stream !== undefined) exchange.note.isStream = true
    else if (wait > 0) exchange.note.held = wait
    return { model, kind, input, webhookUrl, extra }
  }

  /** The task that the request has deleted. */
  get deletedTask(): string | undefined {
    const { operation, namedTask } = this.#exchange
    const { status = 0 } = this.#passed.response ?? {}
    return operation?.id === 'tasks.delete' && status >= 200 && status < 300 ? namedTask : undefined
  }

  /**
   * Emits the event of the exchange.
   * @param shown the tasks in the answer
   * @param statusOf the state of a task, as far as it is known
   */
  emit(seen: SeenExchange, shown: readonly Task[], statusOf: (id: string) => Status | undefined): void {
    const { sim, operation, namedTask = '', note } = this.#exchange
    const { status = 0 } = this.#passed.response ?? {}
    Object.assign(note, this.#held())
    const secrets = [this.#exchange.key, ...secretTexts(seen.body), ...secretTexts(seen.answer?.body)].filter(
      (secret) => secret !== '',
    )
    if (note.requestBody !== undefined) note.requestBody = withoutSecrets(note.requestBody, secrets)
    note.observed = observedStates(this.#exchange, { status, shown, known: statusOf(namedTask) })
    if (operation?.id === 'tasks.list') note.nextCursor = nextCursorIn(this.#dialect, seen)
    if (operation?.id === 'tasks.create' && status < 300) this.#exchange.taskId = shown[0]?.id
    const reply = this.#reply(secrets)
    const { at: realAt, took } = this.#passed
    const times = { answeredAt: seen.answeredAt, realAt, took }
    sim.emit('request.answered', answeredRequest(this.#exchange, reply, times))
    this.#exchange.transfer?.release()
  }

  /** For how long the request lets the service hold the answer. */
  #held(): Pick<RequestNote, 'held'> {
    const exchange = this.#exchange
    const action = isOfService(exchange) ? exchange.operation.action : undefined
    if (action === undefined || !('wait' in action)) return {}
    try {
      const held = action.wait?.(exchange) ?? 0
      return held > 0 ? { held } : {}
    } catch (error) {
      if (error instanceof Problem) return {}
      throw error
    }
  }

  #reply(secrets: readonly string[]): Reply {
    const { response } = this.#passed
    if (response === undefined)
      return { status: 0, headers: {}, body: undefined, transmission: { ends: 'before' } }
    const { status, headers, body } = response
    return {
      status,
      headers: { ...headers },
      body: textIn(body, headers['content-type']),
      secrets,
    }
  }
}

function isOfService(exchange: Exchange): exchange is ServiceExchange {
  return exchange.dialect !== undefined && exchange.operation !== undefined && 'action' in exchange.operation
}

/** Reads something that may not have the form that we know. */
async function attempt<Value>(read: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
