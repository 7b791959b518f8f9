import type { Dialects } from '../dialects/dialects.js'
import { FileCache } from '../engine/assets/file-cache.js'
import { Outputs } from '../engine/assets/outputs.js'
import type { Job } from '../engine/clock/schedule.js'
import { Time } from '../engine/clock/time.js'
import { type AnsweredRequest, createEvents } from '../engine/events.js'
import { LazyPart } from '../engine/lazy-part.js'
import type { MemoryBudget } from '../engine/memory/budget.js'
import type { MirroredService } from '../engine/mirrored-service.js'
import { OutputGate } from '../engine/output-gate.js'
import { streamIn } from '../engine/partition.js'
import { LivePart } from '../engine/progress/live-part.js'
import { Chance } from '../engine/random.js'
import type { SandboxIdentity } from '../engine/sandboxes.js'
import { Capacity } from '../engine/tasks/capacity.js'
import { Engine } from '../engine/tasks/engine.js'
import { DEFAULT_KEEP_TASKS } from '../engine/tasks/keep-tasks.js'
import { Planner } from '../engine/tasks/planner.js'
import { isTerminal, type Task } from '../engine/tasks/task.js'
import { TaskStore } from '../engine/tasks/task-store.js'
import type { Tracing } from '../engine/tracing.js'
import { guarded, targetPolicy } from '../engine/webhooks/attempts/target-policy.js'
import { fetchTransport } from '../engine/webhooks/attempts/transport.js'
import { Dispatcher } from '../engine/webhooks/dispatcher.js'
import { eventOfEnd, type TaskEvent } from '../engine/webhooks/events/task-event.js'
import { Receivers } from '../engine/webhooks/receivers/receivers.js'
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
  const { clock, schedule, inFlight } = time
  const active = new ActiveScenario(scenario, {
    chance,
    clock,
    memory,
    dialects,
    webhookSecret: settings.webhookSecret,
  })
  const outputs = new Outputs(
    `files\0${identity === undefined ? seed : root}`,
    () => active.current.outputs,
    builtInKinds,
    dialects,
    identity?.id,
    partition,
  )
  const uploads = new LazyPart(async () => {
    const { Uploads } = await import('../engine/assets/uploads.js')
    return new Uploads({
      clock,
      chance: idsOf('uploads'),
      budget: memory,
      key: `uploads\0${root}`,
      lifetime: (format) => outputs.lifetimeOf(format),
      sandbox: identity?.id,
      partition,
      onChange: (upload) => events.emit('upload.changed', upload),
      onPartChange: (part) => events.emit('upload.part_changed', part),
    })
  })
  const renderer = settings.renderer ?? createMediaRenderer()
  const capacity = new Capacity(active.current.capacity)
  const tasks: Engine = new Engine({
    clock,
    schedule,
    inFlight,
    store: mirrored?.store ?? new TaskStore(),
    events,
    chance,
    capacity,
    planner: plannerOf(active.current),
    formats: dialects,
    kinds: builtInKinds,
    keep: settings.keepTasks ?? DEFAULT_KEEP_TASKS,
    budget: memory,
    partition,
  })
  const live = new LivePart(
    {
      clock,
      schedule,
      inFlight,
      events,
      tasks,
      startDeadline: (milliseconds, onPassed) => time.startDeadline(milliseconds, onPassed),
    },
    dialects,
  )
  const gate = new OutputGate()
  const requests = { count: 0, unanswered: new Set<() => AnsweredRequest>() }
  const tracing: Tracing = { tracer: undefined }
  const targets = targetPolicy(settings.webhookAllow)
  const webhooks = new Dispatcher(
    {
      clock,
      schedule,
      inFlight,
      budget: memory,
      partition,
      events,
      receivers: new Receivers(settings.receivers, () => events.emit('receivers.changed')),
      gate,
      tracing,
      isAnswering: () => requests.unanswered.size > 0,
      transport: guarded(settings.transport ?? fetchTransport, targets),
      outputOf: (task) => outputs.of(task, task.origin, task.completedAt ?? clock.now()),
      fileUrlOf: (task, file) => outputs.urlOf(task, file, task.origin, task.completedAt ?? clock.now()),
      live,
    },
    active.dispatchRules,
  )
  const registrations = new LazyPart(async () => {
    const { Registrations } = await import('../engine/webhooks/receivers/registrations.js')
    return new Registrations({ clock, chance: idsOf('registrations'), receivers: webhooks.receivers })
  })
  const recorded = announce === undefined ? events : createEvents()
  const parts = {
    seed,
    chance,
    dialects,
    idsOf,
    events,
    gate,
    tracing,
    /** The number of requests, from which their ids come, and those that wait for their answer, as they are so far. */
    requests,
    /** Starts waiting tasks after a change of the scenario. */
    filling: newFilling(),
    time,
    active,
    capacity,
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
  subscribe(parts)
  if (mirrored === undefined)
    act(parts, announce ?? ((event, task, details) => webhooks.announce(event, task, details)))
  return parts
}

function newFilling(): { job: Job | undefined } {
  return { job: undefined }
}

/** Plans the tasks of a scenario, by the kinds of this simulator. */
export function plannerOf(scenario: Scenario): Planner {
  return new Planner(scenario, builtInKinds)
}

/** Passes on the events of one part to the parts that depend on them. */
function subscribe({ events, active, files }: SimulatorParts): void {
  const forget = (task: Task) => {
    active.requestPolicy.lastAnswers.delete(task.id)
    files.delete(task)
  }
  events.on('task.erased', forget)
  events.on('task.forgotten', forget)
}

/** Sends the webhooks of tasks and charges for them, as the service does. */
function act({ events, active, live, webhooks }: SimulatorParts, announce: Dispatcher['announce']): void {
  const follow = (task: Task) => {
    if (task.follow !== undefined && task.status === 'processing') live.of(task.dialect)?.followed.start(task)
  }
  events.on('task.created', follow)
  events.on('task.started', follow)
  events.on('request.answered', ({ operation, delivered, note }) => {
    if (!delivered || (operation !== 'tasks.retrieve' && operation !== 'tasks.list')) return
    if (note.observed === undefined) return
    for (const task of note.observed) if (isTerminal(task.status)) webhooks.releasePolled(task.id)
  })
  events.on('task.created', (task) =>
    announce(task.status === 'queued' ? 'task.queued' : 'task.started', task, { isNew: true }),
  )
  events.on('task.started', (task) => announce('task.started', task))
  events.on('task.progressed', (task, what) => announce(what === 'logs' ? 'task.logs' : 'task.output', task))
  events.on('task.finished', (task) => {
    active.requestPolicy.accounts.charge(task.owner, task.cost ?? 0)
    const event = eventOfEnd(task.status)
    if (event !== undefined) announce(event, task)
  })
}
