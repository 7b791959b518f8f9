import { UsageError } from '../engine/errors.js'
import { checkOptionNames, type OptionNames } from '../engine/known-options.js'
import { suggest } from '../engine/suggest.js'
import { toDollars, toMicroDollars } from '../engine/tasks/pricing.js'
import { type Finding, SEVERITIES, type Severity } from '../inspect/findings/finding.js'
import { checkClient } from '../inspect/findings/verdict.js'
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
  /** The ids of rules to ignore. */
  readonly ignore?: readonly string[]
  /**
   * Whether the client has sent its last request, so that omissions count at once, such as a task whose result nobody
   * has asked for; `true` by default. Set it to `false` before the end of a test.
   */
  readonly final?: boolean
}

const FINDINGS_OPTIONS: OptionNames<FindingsOptions> = { from: true, ignore: true, final: true }

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

/** @throws UsageError if an option or the severity is unknown, because the assertion would hold */
function toHaveNoFindings(received: unknown, options: FindingsOptions = {}): MatcherResult {
  if (!isSimulator(received))
    throw new TypeError(`toHaveNoFindings expects a simulator; got ${format(received)}`)
  checkOptionNames('toHaveNoFindings', options, FINDINGS_OPTIONS)
  const { from = 'warning', ignore = [], final = true } = options
  if (!SEVERITIES.includes(from))
    throw new UsageError(`There is no severity ${format(from)}: ${suggest(String(from), SEVERITIES)}`)
  const counted = SEVERITIES.slice(0, SEVERITIES.indexOf(from) + 1)
  const found = checkClient(received.findingInput({ final })).findings.filter(
    ({ id, severity }) => counted.includes(severity) && !ignore.includes(id),
  )
  return {
    pass: found.length === 0,
    message: () =>
      found.length === 0
        ? 'expected findings about the client, but there are none'
        : `expected no findings about the client, but got ${found.length}:\n\n${found.map(describeFinding).join('\n\n')}`,
  }
}

function describeFinding({ id, severity, title, evidence, why, remedy }: Finding): string {
  const seen = evidence.map((occurrence) => `    ${occurrence.seen}`)
  return [`  ${severity} ${id}: ${title}`, ...seen, `    ${why}`, `    ${remedy}`].join('\n')
}
