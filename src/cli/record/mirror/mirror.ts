import type { Dialect } from '../../../dialects/dialect.js'
import type { DialectTable } from '../../../dialects/table/dialect-table.generated.js'
import { allTables } from '../../../dialects/table/tasks/objects.js'
import { lastSegment } from '../../../engine/tasks/answered-task.js'
import { type MirroredService, MirroredTasks } from '../../../engine/tasks/mirrored-tasks.js'
import { TaskStore } from '../../../engine/tasks/task-store.js'
import { announcesEnds } from '../../../engine/webhooks/webhook-format.js'
import { Simulator } from '../../../library/build-simulator.js'
import { ObservedTasks } from '../../../record/exchanges/observed-tasks.js'
import type { PassedExchange } from '../../../record/recording/passed-exchange.js'
import { textsIn } from '../../../record/recording/shallow-json.js'
import { shippedScenario } from '../../../scenario/shipped.js'
import { jsonIn, seenExchange } from '../read-exchange.js'
import { ExchangeReport } from './exchange-report.js'
import { type MirroredOrder, mirroredTask } from './mirrored-task.js'
import { MirroredWebhooks } from './mirrored-webhooks.js'

/** What a {@link Mirror} shows. */
export interface MirrorOptions {
  /** The wire format of the service. */
  readonly dialect: string
  /** Its description, if it is not built in. */
  readonly table?: DialectTable | undefined
  /** The origin of the service. */
  readonly upstream: string
  /** The file with the recording. */
  readonly file: string
  /** Whether the webhooks of tasks pass through the proxy. */
  readonly seesWebhooks: boolean
}

/** How many tasks to keep. The recording has all of them. */
const KEEP = 10_000

/** The model of a task that was created before the recording, if the service does not show it. */
const UNKNOWN_MODEL = 'unknown'

/**
 * Shows what passes through a proxy in a simulator: the requests in its journal, and the tasks of the service as its
 * tasks. So the dashboard and the findings are about the real service.
 */
export class Mirror {
  /** Shows the service. It has a control API; requests to the service itself must not reach it. */
  readonly sim: Simulator
  readonly #observed: ObservedTasks
  readonly #tasks: MirroredTasks
  readonly #webhooks: MirroredWebhooks
  readonly #report: ExchangeReport
  /** What the first requests about tasks have shown, by the ids of the tasks. */
  readonly #orders = new Map<string, MirroredOrder>()
  /** Ends when all exchanges so far are shown. */
  #work: Promise<void> = Promise.resolve()

  private constructor(
    sim: Simulator,
    store: TaskStore,
    orders: Map<string, MirroredOrder>,
    dialect: Dialect,
  ) {
    this.sim = sim
    this.#orders = orders
    this.#observed = new ObservedTasks(dialect)
    this.#webhooks = new MirroredWebhooks(sim, dialect)
    this.#report = new ExchangeReport(sim, dialect)
    this.#tasks = new MirroredTasks({
      clock: sim.clock,
      store,
      events: sim.events,
      keep: KEEP,
      onCorrected: (wrong, { startedAt }) => {
        sim.counters.tasks[wrong.status] -= 1
        sim.counters.tasks[startedAt === undefined ? 'queued' : 'processing'] += 1
      },
      onForgotten: (id) => {
        this.#observed.forget(id)
        this.#orders.delete(id)
      },
    })
  }

  /** @throws UsageError if there is no such wire format */
  static async open({ dialect: name, table, upstream, file, seesWebhooks }: MirrorOptions): Promise<Mirror> {
    const store = new TaskStore()
    const orders = new Map<string, MirroredOrder>()
    const scenario = shippedScenario('default')
    const settings = { rootDialect: name, ...(table !== undefined && { dialects: [table] }) }
    const about: { unseen: MirroredService['unseen']; hasOthers: boolean } = { unseen: {}, hasOthers: false }
    const mirrored: MirroredService = {
      upstream,
      store,
      file,
      get unseen() {
        return about.unseen
      },
      mayHaveAnnounced({ id, webhookUrl }) {
        if (about.hasOthers) return true
        return about.unseen.webhooks !== undefined && (webhookUrl !== undefined || !orders.get(id)?.isCreate)
      },
    }
    const sim = new Simulator(scenario, settings, undefined, { mirrored })
    const dialect = await sim.dialects.load(name)
    about.unseen = unseenBy(seesWebhooks, announcesEnds(dialect.webhooks(scenario)))
    about.hasOthers = hasOtherReceivers(dialect)
    return new Mirror(sim, store, orders, dialect)
  }

  exchange(passed: PassedExchange): void {
    this.#after(() => this.#showExchange(passed))
  }

  webhook(passed: PassedExchange): void {
    this.#after(async () => this.#showWebhook(passed))
  }

  /** Resolves when everything that has passed is shown. */
  settled(): Promise<void> {
    return this.#work
  }

  /** Stops the simulator. */
  close(): void {
    this.sim.close()
  }

  /** Shows exchanges one after the other. A mistake here must not disturb the proxy. */
  #after(show: () => Promise<void>): void {
    this.#work = this.#work.then(show).catch((error) => this.sim.events.emit('error', error))
  }

  async #showExchange(passed: PassedExchange): Promise<void> {
    const seen = seenExchange(passed)
    const ids = this.#observed.add(seen)
    const report = await this.#report.open(passed)
    const order = await report.order()
    for (const id of ids) this.#show(id, order, seen.answeredAt)
    const deleted = report.deletedTask
    if (deleted !== undefined) this.#delete(deleted, seen.answeredAt)
    const shown = ids.flatMap((id) => this.#tasks.get(id) ?? [])
    if (!passed.isOwn) report.emit(seen, shown, (id) => this.#tasks.get(id)?.status)
  }

  #showWebhook(passed: PassedExchange): void {
    const body = jsonIn(passed.request.body) ?? null
    const task = textsIn(body)
      .map((text) => this.#tasks.get(lastSegment(text)))
      .find((each) => each !== undefined)
    if (task === undefined) return
    this.#observed.add({ ...seenExchange(passed), answer: undefined })
    this.#show(task.id, undefined, passed.at)
    this.#webhooks.show(passed, task)
  }

  /** @param order of the request whose answer shows the task; undefined if it is known */
  #show(id: string, order: MirroredOrder | undefined, now: number): void {
    const observed = this.#observed.get(id, { model: UNKNOWN_MODEL, status: 'queued' })
    const known = this.#orders.get(id) ?? order
    if (observed === undefined || known === undefined) return
    this.#orders.set(id, known)
    this.#tasks.show(mirroredTask(observed, known, this.sim.tasks.factory.planner, now))
  }

  #delete(id: string, now: number): void {
    const task = this.#tasks.get(id)
    if (task === undefined) return
    if (task.completedAt === undefined)
      this.#tasks.show({ ...task, status: 'canceled', startedAt: task.startedAt ?? now, completedAt: now })
    this.#tasks.delete(id)
  }
}

const DOWNLOADS = 'The proxy does not see downloads of output files, because they come from other hosts.'

const WEBHOOKS =
  'The service sends webhooks to the client and not through the proxy. Pass --public-url to see them.'

const FORGERIES = 'Only a simulated service loses webhooks and sends forged ones.'

/**
 * Why a proxy does not see some actions of a client.
 * @param seesWebhooks whether the webhooks of tasks pass through the proxy
 */
function unseenBy(seesWebhooks: boolean, sendsWebhooks: boolean): MirroredService['unseen'] {
  const isHidden = sendsWebhooks && !seesWebhooks
  return { downloads: DOWNLOADS, forgeries: FORGERIES, ...(isHidden && { webhooks: WEBHOOKS }) }
}

/** Whether a service has receivers that no create request names: a setting of the account, or of another request. */
function hasOtherReceivers({ table }: Dialect): boolean {
  const isSetting = allTables(table).some(({ webhook }) => webhook !== undefined && webhook.url === undefined)
  return isSetting || table.operations.some(({ action }) => action === 'create_receiver')
}
