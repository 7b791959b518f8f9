import type { Dialects } from '../dialects/dialects.js'
import { FileCache } from '../engine/assets/file-cache.js'
import { Outputs } from '../engine/assets/outputs.js'
import { LazyPart } from '../engine/awaitable.js'
import type { Job } from '../engine/clock/schedule.js'
import { Time } from '../engine/clock/time.js'
import { type AnsweredRequest, createEvents } from '../engine/events.js'
import type { Exploring } from '../engine/exploration/exploration.js'
import type { MemoryBudget } from '../engine/memory/budget.js'
import { OutputGate } from '../engine/output-gate.js'
import { streamIn } from '../engine/partition.js'
import { LivePart } from '../engine/progress/live-part.js'
import { Chance } from '../engine/random.js'
import { PollLoops } from '../engine/requests/poll-loops.js'
import type { SandboxIdentity } from '../engine/sandboxes.js'
import { Engine } from '../engine/tasks/engine.js'
import type { MirroredService } from '../engine/tasks/mirrored-tasks.js'
import { Orders } from '../engine/tasks/orders.js'
import { Planner } from '../engine/tasks/planner.js'
import { TaskResults } from '../engine/tasks/results.js'
import { DEFAULT_KEEP_TASKS, Retention } from '../engine/tasks/retention.js'
import { isTerminal, type Task } from '../engine/tasks/task.js'
import { TaskStore } from '../engine/tasks/task-store.js'
import type { Tracing } from '../engine/tracing.js'
import { AttemptSender } from '../engine/webhooks/attempts/attempt-sender.js'
import { guarded, targetPolicy } from '../engine/webhooks/attempts/target-policy.js'
import { fetchTransport } from '../engine/webhooks/attempts/transport.js'
import { DeliveryLog } from '../engine/webhooks/deliveries/delivery-log.js'
import { DeliveryRunner } from '../engine/webhooks/deliveries/delivery-runner.js'
import { DeliverySender } from '../engine/webhooks/deliveries/delivery-sender.js'
import { PendingDeliveries } from '../engine/webhooks/deliveries/pending-deliveries.js'
import { Dispatcher } from '../engine/webhooks/dispatcher.js'
import { EventContents } from '../engine/webhooks/events/event-contents.js'
import { eventOfEnd, type TaskEvent } from '../engine/webhooks/events/task-event.js'
import { Receivers } from '../engine/webhooks/receivers/receivers.js'
import type { WebhookFormat } from '../engine/webhooks/webhook-format.js'
import { ApplicationCounters } from '../inspect/applied/application-counters.js'
import { EventCounters } from '../inspect/journal/event-counters.js'
import { Journal } from '../inspect/journal/journal.js'
import { builtInKinds } from '../kinds/built-in-kinds.js'
import { createMediaRenderer } from '../media/media-renderer.js'
import type { Scenario } from '../scenario/scenario.js'
import { ActiveScenario } from './active-scenario.js'
import type { SimulatorSettings } from './settings.js'

/** The parts that a simulator gets in place of those that it would build. */
export interface GivenParts {
  /** Limits the bytes of all of them together. */
  readonly memory?: MemoryBudget | undefined
  readonly dialects?: Dialects | undefined
  /** The service whose tasks the simulator shows; it then sends no webhooks. */
  readonly mirrored?: MirroredService | undefined
  /**
   * Called with the events of tasks in place of the dispatcher. The simulator then sends no webhooks, and its journal and
   * its counters stay empty.
   */
  readonly announce?: ((event: TaskEvent, task: Task) => void) | undefined
}

/** The parts of a simulator, connected with each other. */
export type SimulatorParts = ReturnType<typeof buildParts>

/**
 * Builds the parts of a simulator from its scenario and its settings, and connects them.
 * @param identity the identity of the sandbox, if the simulator is one
 */
export function buildParts(
  scenario: Scenario,
  settings: SimulatorSettings,
  {
    memory,
    dialects,
    mirrored,
    announce,
  }: GivenParts & {
    readonly memory: MemoryBudget
    readonly dialects: Dialects
  },
  identity: SandboxIdentity | undefined,
) {
  const seed = String(settings.seed ?? scenario.seed)
  const root = `${seed}\0${identity?.root ?? 'default'}`
  const chance = Chance.of(root)
  const { partition } = settings
  /** The source of ids of one sort, which differ in each partition. */
  const idsOf = (name: string) => chance.child(streamIn(partition, name))
  const events = createEvents()
  const time = new Time(settings, (error) => events.emit('error', error))
  const { clock } = time
  const active = new ActiveScenario({
    scenario,
    chance,
    clock,
    memory,
    dialects,
    webhookSecret: settings.webhookSecret,
  })
  const outputs = new Outputs({
    key: `files\0${identity === undefined ? seed : root}`,
    settings: () => active.current.outputs,
    kinds: builtInKinds,
    formats: dialects,
    sandbox: identity?.id,
    partition,
  })
  const uploads = new LazyPart(async () => {
    const { Uploads, UploadUrls } = await import('../engine/assets/uploads.js')
    return new Uploads({
      clock,
      chance: idsOf('uploads'),
      budget: memory,
      events,
      urls: new UploadUrls(`uploads\0${root}`, identity?.id, partition),
      lifetimeOf: (format) => outputs.lifetimeOf(format),
    })
  })
  const renderer = settings.renderer ?? createMediaRenderer()
  const store = mirrored?.store ?? new TaskStore()
  const tasks = new Engine({
    time,
    events,
    store,
    orders: new Orders({ clock, chance, planner: plannerOf(active.current), formats: dialects, partition }),
    results: new TaskResults({ kinds: builtInKinds, store }),
    retention: new Retention({
      time,
      events,
      keep: settings.keepTasks ?? DEFAULT_KEEP_TASKS,
      budget: memory,
    }),
  })
  tasks.limit(active.current.capacity)
  const exploring: Exploring = { current: undefined, baseline: undefined }
  const live = new LivePart({ time, events, tasks }, dialects)
  const gate = new OutputGate()
  const requests = { count: 0, unanswered: new Set<() => AnsweredRequest>() }
  const tracing: Tracing = { tracer: undefined }
  const targets = targetPolicy(settings.webhookAllow)
  const receivers = new Receivers(settings.receivers, () => events.emit('receivers.changed'))
  const transport = guarded(settings.transport ?? fetchTransport, targets)
  const isAnswering = () => requests.unanswered.size > 0
  const attempts = new AttemptSender({ clock, receivers, transport, gate, tracing, isAnswering })
  const log = new DeliveryLog({ budget: memory, events, partition })
  const pending = new PendingDeliveries({ clock, events, log })
  const formatOf = (name: string): WebhookFormat => webhooks.formatOf(name)
  const runner = new DeliveryRunner({ time, events, receivers, pending, attempts, formatOf })
  const webhooks: Dispatcher = new Dispatcher({
    clock,
    receivers,
    sender: new DeliverySender({ time, events, pending, runner }),
    contents: new EventContents({ clock, outputs, live }),
    exploring,
    rules: active.dispatchRules,
  })
  const registrations = new LazyPart(async () => {
    const { Registrations } = await import('../engine/webhooks/receivers/registrations.js')
    return new Registrations({ clock, chance: idsOf('registrations'), receivers: webhooks.receivers })
  })
  const recorded = announce === undefined ? events : createEvents()
  const parts = {
    seed,
    chance,
    dialects,
    mirrored,
    idsOf,
    events,
    gate,
    tracing,
    /** The number of requests, from which their ids come, and those that wait for their answer, as they are so far. */
    requests,
    /** The polls at the same instant of a sandbox, which belongs to one test; undefined in other simulators. */
    loops: identity && new PollLoops(),
    exploring,
    /** Starts waiting tasks after a change of the scenario. */
    filling: newFilling(),
    time,
    active,
    tasks,
    live,
    outputs,
    uploads,
    files: new FileCache(renderer, memory),
    renderer,
    targets,
    webhooks,
    registrations,
    journal: new Journal(recorded, memory),
    counters: new EventCounters(recorded),
    applications: new ApplicationCounters(recorded),
  }
  followChanges(parts)
  // A recorder only observes a service, which charges and sends webhooks itself.
  if (mirrored !== undefined) return parts
  chargeAccounts(parts)
  releaseWebhooksAfterPolls(parts)
  announceTasks(parts, announce ?? ((event, task, details) => webhooks.announce(event, task, details)))
  return parts
}

function newFilling(): { job: Job | undefined } {
  return { job: undefined }
}

/** Plans the tasks of a scenario, by the kinds of this simulator. */
export function plannerOf(scenario: Scenario): Planner {
  return new Planner(scenario, builtInKinds)
}

/** Discards what depends on a task with it, and counts the polls of a loop anew after every change. */
function followChanges({ events, active, files, loops, exploring }: SimulatorParts): void {
  events.on('task.created', (task) => exploring.current?.addTask(task))
  const forget = (task: Task) => {
    active.requestPolicy.lastAnswers.delete(task.id)
    files.delete(task)
  }
  events.on('task.erased', forget)
  events.on('task.forgotten', forget)
  if (loops === undefined) return
  for (const change of ['task.started', 'task.finished', 'task.released'] as const)
    events.on(change, () => loops.clear())
  events.on('task.polled', ({ plan }) => {
    if (plan.outcome !== 'stuck') loops.clear()
  })
  events.on('control.used', (use) => {
    if (use !== 'clock') loops.clear()
  })
}

/** Charges the account of a task with its cost. */
function chargeAccounts({ events, active }: SimulatorParts): void {
  events.on('task.finished', (task) => active.requestPolicy.accounts.charge(task.owner, task.cost ?? 0))
}

/** Sends the webhooks that a fault holds back until the client has seen the end of their task in an answer. */
function releaseWebhooksAfterPolls({ events, webhooks }: SimulatorParts): void {
  events.on('request.answered', ({ operation, delivered, note }) => {
    if (!delivered || (operation !== 'tasks.retrieve' && operation !== 'tasks.list')) return
    if (note.observed === undefined) return
    for (const task of note.observed) if (isTerminal(task.status)) webhooks.releasePolled(task.id)
  })
}

/** Announces what happens to tasks, for which webhooks are sent. */
function announceTasks({ events, live }: SimulatorParts, announce: Dispatcher['announce']): void {
  const follow = (task: Task) => {
    if (task.follow !== undefined && task.status === 'processing') live.of(task.dialect)?.followed.start(task)
  }
  events.on('task.created', follow)
  events.on('task.started', follow)
  events.on('task.created', (task) =>
    announce(task.status === 'queued' ? 'task.queued' : 'task.started', task, { isNew: true }),
  )
  events.on('task.started', (task) => announce('task.started', task))
  events.on('task.progressed', (task, what) => announce(what === 'logs' ? 'task.logs' : 'task.output', task))
  events.on('task.finished', (task) => {
    const event = eventOfEnd(task.status)
    if (event !== undefined) announce(event, task)
  })
}
