import type { Dialect } from '../dialects/dialect.js'
import { isOfObject } from '../dialects/table/tasks/objects.js'
import type { Task } from '../engine/tasks/task.js'
import { isSigned } from '../engine/webhooks/webhook-format.js'
import type { FindingInput, ServiceFacts } from '../inspect/findings/finding-context.js'
import type { Scenario } from '../scenario/scenario.js'
import type { SimulatorParts } from './simulator-parts.js'

/**
 * The current input of the findings about the client of a simulator.
 * @param final whether the client will send nothing more
 */
export function findingInputOf(parts: SimulatorParts, final: boolean): FindingInput {
  const { journal, dialects, webhooks, mirrored, outputs } = parts
  const scenario = parts.active.current
  const { clock } = parts.time
  const { poll_interval: intervals = {} } = scenario.layer.findings?.thresholds ?? {}
  return {
    entries: journal.entries(),
    now: clock.now(),
    settings: scenario.findings,
    final,
    unanswered: [...parts.requests.unanswered].map((asOfNow) => asOfNow()),
    pending: webhooks.log.pending(),
    speed: clock.fastest,
    hasClockTimers: parts.time.hasClientTimers,
    isDated: parts.time.control.isDated,
    announces: (task) => webhooks.announcesEnd(task),
    isGone: (task, at) => outputs.isGone(task, at),
    urlLifetimeOf: ({ dialect }) => outputs.lifetimeOf(dialect),
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
  const offers = (wanted: 'list' | 'cancel', task: Task) =>
    dialect.table.operations.some(({ action, object }) => action === wanted && isOfObject(task, object))
  return {
    answers: dialect.answers,
    hasEndedApis: dialect.table.ended !== undefined,
    signsWebhooks: isSigned(webhooks),
    lists: (task) => offers('list', task),
    cancels: (task) => offers('cancel', task),
    takesWebhookUrl: (task) => webhooks.takesUrl(task),
  }
}
