import type { Dialect } from '../dialects/dialect.js'
import type { Dialects } from '../dialects/dialects.js'
import type { ClockControl } from '../engine/clock/clock-control.js'
import type { MirroredService } from '../engine/mirrored-service.js'
import type { Task } from '../engine/tasks/task.js'
import { isSigned } from '../engine/webhooks/webhook-format.js'
import type { FindingInput } from '../inspect/findings/finding-context.js'
import type { ServiceFacts } from '../inspect/findings/service-facts.js'
import type { Journal } from '../inspect/journal/journal.js'
import type { Scenario } from '../scenario/scenario.js'
import type { SimulatorParts } from './parts.js'

/** The parts of a simulator from which its findings are computed. */
interface FindingSources {
  readonly journal: Journal
  readonly clock: ClockControl
  readonly scenario: Scenario
  readonly dialects: Dialects
  readonly mirrored: MirroredService | undefined
  readonly outputs: { isGone(task: Task, now: number): boolean }
  readonly parts: Pick<SimulatorParts, 'applications' | 'requests' | 'time' | 'webhooks'>
}

/**
 * The current input of the findings.
 * @param final whether the client will send nothing more
 */
export function findingInputOf(
  { journal, clock, scenario, dialects, mirrored, outputs, parts }: FindingSources,
  final: boolean,
): FindingInput {
  const { poll_interval: intervals = {} } = scenario.layer.findings?.thresholds ?? {}
  return {
    entries: journal.entries(),
    now: clock.now(),
    settings: scenario.findings,
    final,
    unanswered: [...parts.requests.unanswered].map((asOfNow) => asOfNow()),
    speed: parts.time.clock.fastest,
    announces: (task) => parts.webhooks.announcesEnd(task),
    isGone: (task, at) => outputs.isGone(task, at),
    mirrored,
    applications: { scenario, counters: parts.applications },
    serviceOf: (dialect) => factsOf(dialects.get(dialect), scenario),
    // An interval of the scenario overrides that of the service, which overrides the default of the kind.
    pollIntervalOf: ({ dialect, kind, baseKind, extra }) =>
      intervals[kind] ?? intervals[baseKind] ?? dialects.get(dialect)?.pollInterval?.({ extra }),
  }
}

function factsOf(dialect: Dialect | undefined, scenario: Scenario): ServiceFacts | undefined {
  if (dialect === undefined) return undefined
  const webhooks = dialect.webhooks(scenario)
  const lists = dialect.routes
    .flatMap(({ methods }) => Object.values(methods))
    .filter((action) => action.operation === 'tasks.list')
  return {
    answers: dialect.answers,
    signsWebhooks: isSigned(webhooks),
    lists: (task) => lists.some(({ owns }) => owns?.(task) !== false),
    takesWebhookUrl: (task) => webhooks.takesUrl(task),
  }
}
