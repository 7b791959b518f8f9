import { checkOptionNames, type OptionNames, UsageError } from '../engine/errors.js'
import { nearest, suggest } from '../engine/suggest.js'
import { toDollars, toMicroDollars } from '../engine/tasks/pricing.js'
import type { Delivery } from '../engine/webhooks/deliveries/delivery.js'
import { type AppliedRule, describeRule, missingRules } from '../inspect/applied/applied-rules.js'
import { evidenceLine } from '../inspect/findings/evidence.js'
import { type Finding, SEVERITIES, type Severity } from '../inspect/findings/finding.js'
import { FINDING_IDS, type FindingId } from '../inspect/findings/ids.js'
import { type Checked, type CheckState, checkClient, type Verdict } from '../inspect/findings/verdict.js'
import { describeUndelivered, isUndelivered, remedyFor, UNDELIVERED } from '../inspect/undelivered.js'
import type { Simulator } from '../library/build-simulator.js'
import { costOf, describeTask, format, isSimulator, type TaskLike, tasksIn } from './received.js'

/** The result of a matcher, in the format of Vitest. */
interface MatcherResult {
  pass: boolean
  message: () => string
  actual?: unknown
  expected?: unknown
}

/** The findings that fail the assertion. */
export interface FindingsOptions {
  /** The lowest severity that fails the assertion; `warning` by default. */
  readonly from?: Severity
  /** The ids of rules to ignore; `undelivered-webhooks` accepts that a receiver has rejected valid webhooks. */
  readonly ignore?: readonly (FindingId | (string & Record<never, never>))[]
  /**
   * Whether the client has sent its last request, so that omissions count at once, such as a task whose result nobody
   * has asked for; `true` by default. Set it to `false` before the end of a test.
   */
  readonly final?: boolean
  /**
   * Whether a test that tested nothing fails, too: if the client sent no request and got no webhook, or if a rule or
   * fault of the scenario never applied. Of a shipped scenario, and of what a scenario without rules extends, one rule
   * is enough. A list names the rules and faults that must have applied, if a scenario serves several tests, and the
   * ids of findings that must have been observed.
   */
  readonly strict?: boolean | readonly string[]
}

/** What `ignore` may name. */
const ACCEPTED: readonly string[] = [...FINDING_IDS, UNDELIVERED]

const FINDINGS_OPTIONS: OptionNames<FindingsOptions> = { from: true, ignore: true, final: true, strict: true }

/** The assertions by name, for `expect.extend`. */
export const matchers = { toHaveSucceeded, toHaveFailed, toHaveCost, toHaveNoFindings }

function toHaveSucceeded(received: unknown): MatcherResult {
  return allOf(
    tasksIn(received, 'toHaveSucceeded'),
    'to have succeeded',
    ({ status }) => status === 'succeeded',
  )
}

function toHaveFailed(received: unknown, code?: string | RegExp): MatcherResult {
  const withCode = code === undefined ? '' : ` with ${typeof code === 'string' ? JSON.stringify(code) : code}`
  return allOf(
    tasksIn(received, 'toHaveFailed'),
    `to have failed${withCode}`,
    ({ status, error }) => status === 'failed' && isCode(error?.code, code),
  )
}

function isCode(given: unknown, wanted: string | RegExp | undefined): boolean {
  if (wanted === undefined) return true
  return typeof wanted === 'string' ? given === wanted : wanted.test(String(given))
}

function allOf(
  tasks: readonly TaskLike[],
  expectation: string,
  matches: (task: TaskLike) => boolean,
): MatcherResult {
  const mismatches = tasks.filter((task) => !matches(task))
  const pass = tasks.length > 0 && mismatches.length === 0
  return {
    pass,
    message: () => {
      if (tasks.length === 0) return `expected tasks ${expectation}, but the simulator has no tasks`
      const listed = (pass ? tasks : mismatches).map(describeTask).join('\n  ')
      return `expected ${tasks.length === 1 ? 'the task' : 'all tasks'} ${pass ? 'not ' : ''}${expectation}, but\n  ${listed}`
    },
  }
}

function toHaveCost(received: unknown, usd: number): MatcherResult {
  const tasks = tasksIn(received, 'toHaveCost')
  const running = tasks.filter((task) => costOf(task) === undefined)
  const cost = tasks.reduce((sum, task) => sum + toMicroDollars(costOf(task) ?? 0), 0)
  // In the total of a simulator, a running task counts as 0. The cost of a single running task is unknown.
  const isKnown = isSimulator(received) || running.length === 0
  const pass = isKnown && cost === toMicroDollars(usd)
  return {
    pass,
    actual: toDollars(cost),
    expected: usd,
    message: () => {
      if (!isKnown) return `expected the task to cost ${usd} USD, but ${running.map(describeTask).join()}`
      const subject = isSimulator(received) ? 'the tasks' : 'the task'
      return `expected ${subject} ${pass ? 'not ' : ''}to cost ${usd} USD, got ${toDollars(cost)} USD`
    },
  }
}

/**
 * @throws UsageError if an option, the severity, an ignored finding or a rule in `strict` is unknown, because the
 * assertion would hold
 */
function toHaveNoFindings(received: unknown, options: FindingsOptions = {}): MatcherResult {
  if (!isSimulator(received))
    throw new TypeError(`toHaveNoFindings expects a simulator; got ${format(received)}`)
  checkOptionNames('toHaveNoFindings', options, FINDINGS_OPTIONS)
  const { from = 'warning', ignore = [], final = true, strict = false } = options
  if (!SEVERITIES.includes(from))
    throw new UsageError(`There is no severity ${format(from)}: ${suggest(String(from), SEVERITIES)}`)
  const unknown = ignore.find((id) => !ACCEPTED.includes(id))
  if (unknown !== undefined)
    throw new UsageError(`There is no finding ${format(unknown)}: ${suggest(String(unknown), ACCEPTED)}`)
  const counted = SEVERITIES.slice(0, SEVERITIES.indexOf(from) + 1)
  const { findings, applied, checked } = checkClient(received.findingInput({ final }))
  const found = findings.filter(({ id, severity }) => counted.includes(severity) && !ignore.includes(id))
  const gaps = strict === false ? [] : gapsIn(received, { applied, checked }, strict)
  const rejected = final && !ignore.includes(UNDELIVERED) ? undeliveredIn(received) : []
  return {
    pass: found.length === 0 && gaps.length === 0 && rejected.length === 0,
    message: () => {
      const rejections = rejected.length > 0 ? describeRejected(rejected) : undefined
      if (found.length > 0)
        return [
          `expected no findings about the client, but got ${found.length}:`,
          ...found.map(describeFinding),
          ...(rejections === undefined ? [] : [rejections]),
        ].join('\n\n')
      if (rejections !== undefined) return rejections
      return gaps.length > 0
        ? `expected the test to test something, but ${gaps.join('\n')}`
        : 'expected findings about the client, but there are none'
    },
  }
}

/** The valid webhooks that a receiver has not accepted. */
function undeliveredIn({ journal }: Simulator): readonly Delivery[] {
  const latest = new Map<string, Delivery>()
  for (const entry of journal.entries())
    if (entry.type === 'delivery') latest.set(entry.delivery.id, entry.delivery)
  return [...latest.values()].filter(isUndelivered)
}

function describeRejected(rejected: readonly Delivery[]): string {
  return [
    'expected receivers to accept each valid webhook, but they did not accept these:',
    ...rejected.map((delivery) => `  ${describeUndelivered(delivery)}`),
    `${remedyFor(rejected)} A function of this process is a receiver with \`receivers: [{ url, handle }]\`. To accept this, pass { ignore: ['${UNDELIVERED}'] }.`,
  ].join('\n')
}

/** What a test without findings has not tested. */
function gapsIn(
  { counters, webhooks }: Simulator,
  { applied, checked }: Pick<Verdict, 'applied' | 'checked'>,
  strict: true | readonly string[],
): readonly string[] {
  if (counters.requests.size === 0 && counters.attempts === 0)
    return ['the client sent no request and got no webhook']
  const names = strict === true ? [] : strict
  const unseen = checked.filter(({ id, state }) => names.includes(id) && UNSEEN.includes(state))
  const missing =
    strict === true
      ? missingRules(applied)
      : names.filter((name) => !isFinding(name)).flatMap((name) => neverAppliedBy(name, applied))
  return [...describeMissing(missing, webhooks), ...describeUnseen(unseen)]
}

const UNSEEN: readonly CheckState[] = ['not_observed', 'not_applicable', 'ignored']

function isFinding(name: string): boolean {
  return (FINDING_IDS as readonly string[]).includes(name)
}

/** The findings that the run could not show, with what would show them. */
function describeUnseen(unseen: readonly Checked[]): readonly string[] {
  if (unseen.length === 0) return []
  return [
    'these findings were not observed:',
    ...unseen.map(({ id, state, reason, provoke }) => {
      const why = state === 'ignored' ? 'The scenario ignores it.' : reason
      return `  ${[`${id}:`, why, provoke].filter((part) => part !== undefined).join(' ')}`
    }),
  ]
}

function describeMissing(
  missing: readonly AppliedRule[],
  webhooks: Simulator['webhooks'],
): readonly string[] {
  if (missing.length === 0) return []
  return [
    'these rules and faults of the scenario never applied:',
    ...missing.map((rule) => `  ${describeRule(rule)}`),
    ...(isPending(missing, webhooks.log.pending()) ? [PENDING] : []),
    'Check their conditions, and whether the client sends such requests. If other tests need them, name those of this test: { strict: [...] }.',
  ]
}

const PENDING =
  'A webhook with such a fault was still to be delivered at the end: call `await sim.clock.runUntilIdle()` before the assertion.'

function isPending(missing: readonly AppliedRule[], deliveries: Iterable<Delivery>): boolean {
  const names = new Set([...deliveries].map(({ rule }) => rule))
  return missing.some(({ list, name }) => list === 'webhooks.faults' && names.has(name))
}

function neverAppliedBy(name: string, applied: readonly AppliedRule[]): AppliedRule[] {
  const named = applied.filter((rule) => rule.name === name)
  if (named.length > 0) return named.filter(({ count }) => count === 0)
  const names = applied.map((rule) => rule.name)
  const known = names.length === 0 ? 'the scenario has none' : suggest(name, names)
  throw new UsageError(
    `The scenario has no rule or fault ${format(name)}, and there is no such finding: ${nearest(name, [...names, ...FINDING_IDS]) ?? known}`,
  )
}

function describeFinding({ id, severity, title, evidence, why, remedy }: Finding): string {
  const seen = evidence.map((occurrence) => `    ${evidenceLine(occurrence)}`)
  return [`  ${severity} ${id}: ${title}`, ...seen, `    ${why}`, `    ${remedy}`].join('\n')
}
