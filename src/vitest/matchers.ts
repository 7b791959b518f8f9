import { toDollars, toMicroDollars } from '../engine/tasks/pricing.js'
import { type Finding, SEVERITIES, type Severity } from '../inspect/findings/finding.js'
import { checkClient } from '../inspect/findings/verdict.js'
import { costOf, describeTask, isSimulator, type TaskLike, tasksIn } from './received.js'

/** What a matcher tells Vitest. */
interface Match {
  pass: boolean
  message: () => string
  actual?: unknown
  expected?: unknown
}

/** Which findings count. */
export interface FindingsOptions {
  /** How bad a finding must be to count; `warning` unless given. */
  readonly from?: Severity
  /** Rules that are let pass, by their ids. */
  readonly ignore?: readonly string[]
}

/** The assertions by their names, for `expect.extend`. */
export const matchers = { toHaveSucceeded, toHaveFailed, toHaveCost, toHaveNoFindings }

function toHaveSucceeded(received: unknown): Match {
  return allOf(
    tasksIn(received, 'toHaveSucceeded'),
    'to have succeeded',
    ({ status }) => status === 'succeeded',
  )
}

function toHaveFailed(received: unknown, code?: string | RegExp): Match {
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

function allOf(tasks: readonly TaskLike[], what: string, holds: (task: TaskLike) => boolean): Match {
  const others = tasks.filter((task) => !holds(task))
  const pass = tasks.length > 0 && others.length === 0
  return {
    pass,
    message: () => {
      if (tasks.length === 0) return `expected tasks ${what}, but none was created`
      const shown = (pass ? tasks : others).map(describeTask).join('\n  ')
      return `expected ${tasks.length === 1 ? 'the task' : 'all tasks'} ${pass ? 'not ' : ''}${what}, but\n  ${shown}`
    },
  }
}

function toHaveCost(received: unknown, usd: number): Match {
  const tasks = tasksIn(received, 'toHaveCost')
  const running = tasks.filter((task) => costOf(task) === undefined)
  const cost = tasks.reduce((sum, task) => sum + toMicroDollars(costOf(task) ?? 0), 0)
  // What is still running costs a simulator nothing yet, but the cost of one running task is not known.
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

function toHaveNoFindings(received: unknown, { from = 'warning', ignore = [] }: FindingsOptions = {}): Match {
  if (!isSimulator(received)) throw new TypeError('toHaveNoFindings expects a simulator')
  const counted = SEVERITIES.slice(0, SEVERITIES.indexOf(from) + 1)
  const found = checkClient(received.findingInput()).findings.filter(
    ({ id, severity }) => counted.includes(severity) && !ignore.includes(id),
  )
  return {
    pass: found.length === 0,
    message: () =>
      found.length === 0
        ? 'expected the client to have done something wrong, but there is no finding'
        : `expected the client to have done nothing wrong, but\n\n${found.map(describeFinding).join('\n\n')}`,
  }
}

function describeFinding({ id, severity, title, evidence, why, remedy }: Finding): string {
  const seen = evidence.map((one) => `    ${one.seen}`)
  return [`  ${severity} ${id}: ${title}`, ...seen, `    ${why}`, `    ${remedy}`].join('\n')
}
