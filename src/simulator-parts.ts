import { ActiveScenario } from './active-scenario.js'
import type { Dialects } from './dialects/dialects.js'
import { FileCache } from './engine/assets/file-cache.js'
import { Outputs } from './engine/assets/outputs.js'
import { Time } from './engine/clock/time.js'
import { createEvents } from './engine/events.js'
import { LazyPart } from './engine/lazy-part.js'
import type { MemoryBudget } from './engine/memory/budget.js'
import { LivePart } from './engine/progress/live-part.js'
import { Chance } from './engine/random.js'
import type { SandboxIdentity } from './engine/sandboxes.js'
import { Capacity } from './engine/tasks/capacity.js'
import { Engine } from './engine/tasks/engine.js'
import { DEFAULT_KEEP_TASKS } from './engine/tasks/keep-tasks.js'
import { MemoryStore } from './engine/tasks/memory-store.js'
import { Planner } from './engine/tasks/planner.js'
import { isTerminal, type Task } from './engine/tasks/task.js'
import { Dispatcher } from './engine/webhooks/dispatcher.js'
import { Receivers } from './engine/webhooks/receivers.js'
import { guarded, targetPolicy } from './engine/webhooks/target-policy.js'
import { eventOfEnd } from './engine/webhooks/task-event.js'
import { fetchTransport } from './engine/webhooks/transport.js'
import { EventCounters } from './inspect/journal/event-counters.js'
import { Journal } from './inspect/journal/journal.js'
import { builtInKinds } from './kinds/built-in-kinds.js'
import { createMediaRenderer } from './media/media-renderer.js'
import type { Scenario } from './scenario/model/scenario.js'
import type { SimulatorSettings } from './simulator-settings.js'

/** The parts of a simulator, connected with each other. */
export type SimulatorParts = ReturnType<typeof buildParts>

/**
 * Builds the parts of a simulator from its scenario and its settings, and connects them.
 * @param identity the identity of the sandbox, if the simulator is one
 */
export function buildParts(
  scenario: Scenario,
  settings: SimulatorSettings,
  { memory, dialects }: { readonly memory: MemoryBudget; readonly dialects: Dialects },
  identity: SandboxIdentity | undefined,
) {
  const seed = String(settings.seed ?? scenario.seed)
  const root = `${seed}\0${identity?.root ?? 'default'}`
  const chance = Chance.of(root)
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
  )
  const uploads = new LazyPart(async () => {
    const { Uploads } = await import('./engine/assets/uploads.js')
    return new Uploads({
      clock,
      chance: chance.child('uploads'),
      budget: memory,
      key: `uploads\0${root}`,
      lifetime: (format) => outputs.lifetimeOf(format),
      sandbox: identity?.id,
    })
  })
  const renderer = settings.renderer ?? createMediaRenderer()
  const capacity = new Capacity(active.current.capacity)
  const tasks: Engine = new Engine({
    clock,
    schedule,
    store: settings.store ?? new MemoryStore(),
    events,
    chance,
    capacity,
    planner: plannerOf(active.current),
    formats: dialects,
    kinds: builtInKinds,
    keep: settings.keepTasks ?? DEFAULT_KEEP_TASKS,
    budget: memory,
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
  const targets = targetPolicy(settings.webhookAllow)
  const webhooks = new Dispatcher(
    {
      clock,
      schedule,
      inFlight,
      budget: memory,
      events,
      receivers: new Receivers(settings.receivers),
      transport: guarded(settings.transport ?? fetchTransport, targets),
      outputOf: (task) => outputs.of(task, task.origin, task.completedAt ?? clock.now()),
      live,
    },
    active.dispatchRules,
  )
  const registrations = new LazyPart(async () => {
    const { Registrations } = await import('./engine/webhooks/registrations.js')
    return new Registrations({ clock, chance: chance.child('registrations'), receivers: webhooks.receivers })
  })
  const parts = {
    seed,
    chance,
    events,
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
    journal: new Journal(events, memory),
    counters: new EventCounters(events),
  }
  subscribe(parts)
  return parts
}

/** Plans the tasks of a scenario, by the kinds of this simulator. */
export function plannerOf(scenario: Scenario): Planner {
  return new Planner(scenario, builtInKinds)
}

/** Passes on the events of one part to the parts that depend on them. */
function subscribe({ events, active, files, live, webhooks }: SimulatorParts): void {
  const follow = (task: Task) => {
    if (task.follow !== undefined && task.status === 'processing') live.of(task.dialect)?.followed.start(task)
  }
  events.on('task.created', follow)
  events.on('task.started', follow)
  events.on('request.answered', ({ operation, delivered, note }) => {
    if (!delivered || (operation !== 'tasks.retrieve' && operation !== 'tasks.list')) return
    for (const task of note.observed ?? []) if (isTerminal(task.status)) webhooks.releasePolled(task.id)
  })
  events.on('task.created', (task) =>
    webhooks.announce(task.status === 'queued' ? 'task.queued' : 'task.started', task, { isNew: true }),
  )
  events.on('task.started', (task) => webhooks.announce('task.started', task))
  events.on('task.progressed', (task, what) =>
    webhooks.announce(what === 'logs' ? 'task.logs' : 'task.output', task),
  )
  events.on('task.finished', (task) => {
    active.requestPolicy.accounts.charge(task.owner, task.cost ?? 0)
    const event = eventOfEnd(task.status)
    if (event !== undefined) webhooks.announce(event, task)
  })
  const forget = (task: Task) => {
    active.requestPolicy.lastAnswers.delete(task.id)
    files.delete(task)
  }
  events.on('task.erased', forget)
  events.on('task.forgotten', forget)
}
