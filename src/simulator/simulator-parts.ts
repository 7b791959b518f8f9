import type { Dialects } from '../dialects/dialects.js'
import type { FileCache } from '../engine/assets/file-cache.js'
import type { Outputs } from '../engine/assets/outputs.js'
import type { Uploads } from '../engine/assets/uploads.js'
import type { Job } from '../engine/clock/schedule.js'
import type { Time } from '../engine/clock/time.js'
import type { Events } from '../engine/events.js'
import type { Exploring } from '../engine/exploration/exploration.js'
import type { Lazy } from '../engine/lazy.js'
import type { MemoryBudget } from '../engine/memory/budget.js'
import type { OutputGate } from '../engine/output-gate.js'
import type { LivePart } from '../engine/progress/live-part.js'
import type { Chance } from '../engine/random.js'
import type { RequestLoops } from '../engine/requests/request-loops.js'
import type { Requests } from '../engine/requests/requests.js'
import type { Engine } from '../engine/tasks/engine.js'
import type { MirroredService } from '../engine/tasks/mirrored-tasks.js'
import type { Task } from '../engine/tasks/task.js'
import type { Tracing } from '../engine/tracing.js'
import type { TargetPolicy } from '../engine/webhooks/attempts/target-policy.js'
import type { Dispatcher } from '../engine/webhooks/dispatcher.js'
import type { TaskEvent } from '../engine/webhooks/events/task-event.js'
import type { Registrations } from '../engine/webhooks/receivers/registrations.js'
import type { ApplicationCounters } from '../inspect/applied/application-counters.js'
import type { EventCounters } from '../inspect/journal/event-counters.js'
import type { Journal } from '../inspect/journal/journal.js'
import type { ActiveScenario } from './active-scenario.js'
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

/** The parts of a simulator, connected with each other: the simulator itself, its state and the ledger use them. */
export interface SimulatorParts {
  readonly seed: string
  /** The source of all random draws. */
  readonly chance: Chance
  /** Returns the source of the ids of one sort, which differ in each partition. */
  readonly idsOf: (name: string) => Chance
  readonly events: Events
  readonly time: Time
  readonly active: ActiveScenario
  readonly dialects: Dialects
  readonly tasks: Engine
  /** Shows tasks before their end, and waits for them. */
  readonly live: LivePart
  readonly outputs: Outputs
  readonly files: FileCache
  readonly renderer: NonNullable<SimulatorSettings['renderer']>
  readonly uploads: Lazy<Uploads>
  readonly webhooks: Dispatcher
  /** Where webhooks may go. */
  readonly targets: TargetPolicy
  /** The receivers that clients register. */
  readonly registrations: Lazy<Registrations>
  /** Where responses and webhooks wait until what they depend on is stored. */
  readonly gate: OutputGate
  readonly tracing: Tracing
  readonly requests: Requests
  /** The equal requests at one instant; a sandbox belongs to one test. */
  readonly loops: RequestLoops
  /** The exploration whose deviations apply, if one runs. */
  readonly exploring: Exploring
  /** Starts waiting tasks after a change of the scenario. */
  readonly filling: { job: Job | undefined }
  readonly journal: Journal
  /** Counts events. */
  readonly counters: EventCounters
  /** Counts how often rules have applied. */
  readonly applications: ApplicationCounters
  /** The service whose tasks the simulator shows, if it simulates none. */
  readonly mirrored: MirroredService | undefined
}
