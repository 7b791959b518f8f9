import type { Dialects } from '../dialects/dialects.js'
import { FileCache } from '../engine/assets/file-cache.js'
import { Outputs } from '../engine/assets/outputs.js'
import { Time } from '../engine/clock/time.js'
import { createEvents } from '../engine/events.js'
import type { Exploring } from '../engine/exploration/exploration.js'
import { Lazy } from '../engine/lazy.js'
import type { MemoryBudget } from '../engine/memory/budget.js'
import { OutputGate } from '../engine/output-gate.js'
import { streamIn } from '../engine/partition.js'
import { LivePart } from '../engine/progress/live-part.js'
import { Chance } from '../engine/random.js'
import { RequestLoops } from '../engine/requests/request-loops.js'
import { Requests } from '../engine/requests/requests.js'
import { Engine } from '../engine/tasks/engine.js'
import { Planner } from '../engine/tasks/planner.js'
import { TaskResults } from '../engine/tasks/results.js'
import { DEFAULT_KEEP_TASKS, Retention } from '../engine/tasks/retention.js'
import { TaskFactory } from '../engine/tasks/task-factory.js'
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
import { Receivers } from '../engine/webhooks/receivers/receivers.js'
import type { WebhookFormat } from '../engine/webhooks/webhook-format.js'
import { ApplicationCounters } from '../inspect/applied/application-counters.js'
import { EventCounters } from '../inspect/journal/event-counters.js'
import { Journal } from '../inspect/journal/journal.js'
import { builtInKinds } from '../kinds/produce.js'
import { createMediaRenderer } from '../media/media-renderer.js'
import type { Scenario } from '../scenario/scenario.js'
import { ActiveScenario } from './active-scenario.js'
import { connectParts } from './connect-parts.js'
import type { SandboxIdentity } from './sandboxes.js'
import type { SimulatorSettings } from './settings.js'
import type { GivenParts, SimulatorParts } from './simulator-parts.js'

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
): SimulatorParts {
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
  const uploads = new Lazy(async () => {
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
    factory: new TaskFactory({
      clock,
      chance,
      planner: plannerOf(active.current),
      formats: dialects,
      partition,
    }),
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
  const requests = new Requests(partition)
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
  const registrations = new Lazy(async () => {
    const { Registrations } = await import('../engine/webhooks/receivers/registrations.js')
    return new Registrations({ clock, chance: idsOf('registrations'), receivers: webhooks.receivers })
  })
  const recorded = announce === undefined ? events : createEvents()
  const parts: SimulatorParts = {
    seed,
    chance,
    dialects,
    mirrored,
    idsOf,
    events,
    gate,
    tracing,
    requests,
    loops: new RequestLoops(identity !== undefined),
    exploring,
    filling: { job: undefined },
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
  connectParts(parts, announce ?? webhooks.announce.bind(webhooks))
  return parts
}

/** Plans the tasks of a scenario, by the kinds of this simulator. */
export function plannerOf(scenario: Scenario): Planner {
  return new Planner(scenario, builtInKinds)
}
