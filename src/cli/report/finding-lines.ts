import { isoTime } from '../../engine/clock/instants.js'
import { systemNow } from '../../engine/clock/system-clock.js'
import { WEBHOOK_FAULT_WORDS } from '../../engine/webhooks/faults/webhook-fault.js'
import {
  type AppliedRule,
  describeRule,
  missingRules,
  neverApplied,
} from '../../inspect/applied/applied-rules.js'
import { evidenceLine, formatDuration } from '../../inspect/findings/evidence.js'
import type { Evidence, Finding } from '../../inspect/findings/finding.js'
import { FINDING_RULES } from '../../inspect/findings/rules.js'
import { type Checked, NO_OCCASION, type Verdict } from '../../inspect/findings/verdict.js'
import { SHIPPED_NAMES } from '../../scenario/shipped.js'
import { type FailOn, type ReportLine, withFailures } from './report.js'

/** The number of observations in the line of a finding. */
const MAX_SHOWN = 5

/** The lines of the findings, with those that fail the run. */
export function findingLines(findings: readonly Finding[], failOn: FailOn): ReportLine[] {
  return withFailures(findings.map(findingLine), failOn)
}

/**
 * The lines of the rules without a finding: the client made no such mistake, or had no occasion to make it.
 * @param scenarios the names of the scenarios of the run
 */
export function linesWithoutFinding(
  { checked, applied }: Pick<Verdict, 'checked' | 'applied'>,
  scenarios: Iterable<string> = [],
): ReportLine[] {
  const had = new Set([...scenarios, ...applied.flatMap(namesIn)])
  return checked.flatMap((rule) => lineWithoutFinding(rule, had))
}

const WEBHOOK_FAULTS = Object.keys(WEBHOOK_FAULT_WORDS)
const FAULTS = [...WEBHOOK_FAULTS, 'reset', 'tasks.retrieve']

/** What a text about faults may call a rule or fault of a scenario. */
function namesIn({ scenario, list, definition }: AppliedRule): string[] {
  const words = list === 'webhooks.faults' ? WEBHOOK_FAULTS : ['tasks.retrieve']
  return [scenario, ...words.filter((word) => definition.includes(word))]
}

function lineWithoutFinding(
  { id, title, state, reason = '', provoke = '' }: Checked,
  had: ReadonlySet<string>,
): ReportLine[] {
  if (state !== 'ok' && state !== 'not_observed') return []
  // What provokes a mistake implies that there was no occasion for it, unless the run had just that.
  const tried = namedIn(provoke).filter((name) => had.has(name) && name !== 'default')
  const without = tried.length === 0 ? '' : `This run had ${listOf(tried)}, but no occasion for the mistake.`
  const why = reason === NO_OCCASION ? without : reason
  const occasion = why === '' ? occasionOf(id, provoke) : undefined
  return [{ id, mark: state, title, seen: [], why, remedy: '', provoke, occasion, isBrief: true }]
}

/** The scenarios, faults and operations that a text names. */
function namedIn(text: string): string[] {
  return [...text.matchAll(/`([a-z][a-z._-]*)`/g)].map(([, name = '']) => name)
}

function listOf(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' and ')
}

/** What would give a rule an occasion, in short; undefined for a rule of another version of the server. */
function occasionOf(id: string, provoke: string): string | undefined {
  const rule = FINDING_RULES.find((known) => known.id === id)
  if (rule === undefined) return undefined
  const names = namedIn(provoke)
  const scenarios = names.filter((name) => SHIPPED_NAMES.includes(name)).join(' or ')
  if (rule.occasion === 'scenario') return `Run the scenario ${scenarios}.`
  if (rule.occasion === 'requests') return 'Let the client do more, or use another dialect.'
  if (scenarios !== '' && rule.occasion === 'probe')
    return `Run the scenario ${scenarios} with a webhook URL, or tasksim probe.`
  if (names.some((name) => FAULTS.includes(name))) return /^.*?\.(?= |$)/.exec(provoke)?.[0]
  return rule.occasion === 'webhook' ? 'Give tasks a webhook URL, or pass --webhook URL.' : OBSERVE
}

const OBSERVE = 'Let the test report observations.'

/** The number of rules that the line of those that never applied lists. */
const MAX_RULES = 10

/**
 * The line of the rules and faults of the scenario that never applied, if any.
 * @param isStrict whether it fails the run if the run tested nothing without them
 */
export function neverAppliedLine(applied: Verdict['applied'], isStrict = false): ReportLine | undefined {
  const { own, bases } = neverApplied(applied)
  const unused = [...own.map(describeRule), ...bases.map((base) => `${base}: none of its rules and faults`)]
  if (unused.length === 0) return undefined
  const fails = isStrict && missingRules(applied).length > 0
  const shown = unused.slice(0, MAX_RULES)
  return {
    id: 'never-applied',
    mark: fails ? 'error' : 'note',
    fails,
    title: 'Some rules and faults of the scenario never applied',
    seen: unused.length > shown.length ? [...shown, `... and ${unused.length - shown.length} more.`] : shown,
    why: 'The run did not test how the client handles them.',
    remedy: 'Check their conditions, and whether the client sends such requests.',
    details: { rules: applied },
  }
}

function findingLine({ id, severity, title, why, remedy, count, evidence }: Finding): ReportLine {
  return {
    id,
    mark: severity,
    title,
    why,
    remedy,
    seen: firstObservations(evidence, count),
    details: { count, evidence },
  }
}

function firstObservations(evidence: readonly Evidence[], count: number): string[] {
  const lines = evidence.slice(0, MAX_SHOWN).map(evidenceLine)
  return count > lines.length ? [...lines, `... and ${count - lines.length} more.`] : lines
}

/** Milliseconds. A smaller difference between the clocks does not confuse a reader. */
const NEGLIGIBLE = 1_000

/**
 * Says that the times of a report are those of the simulator's clock, if it differs from the machine's.
 * @param now the simulator's clock at the end of the run, in epoch milliseconds
 */
export function clockNote(now: number): string | undefined {
  const ahead = now - systemNow()
  if (Math.abs(ahead) < NEGLIGIBLE) return undefined
  const how = `${formatDuration(Math.abs(ahead))} ${ahead > 0 ? 'ahead of' : 'behind'} real time`
  return `Times are on the simulator's clock, which is at ${isoTime(now).slice('2026-01-01T'.length, -1)}, ${how}.`
}
