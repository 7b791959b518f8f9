import type { LearnedLimit } from '../learn/limits.js'
import type { CommentedYaml } from './commented.js'
import { limitText } from './comments.js'

interface Limit {
  readonly running: number
}

/** The `capacity` section of a scenario file. */
export interface CapacityFields {
  readonly running?: number | undefined
  readonly kinds?: Readonly<Record<string, Limit>> | undefined
  readonly models?: Readonly<Record<string, Limit>> | undefined
}

/** The `capacity` section; undefined without a limit. */
export function capacityOf(limits: readonly LearnedLimit[]): CapacityFields | undefined {
  if (limits.length === 0) return undefined
  const running = limits.find(({ scope }) => scope === 'all')?.running
  return { running, kinds: limitsOf('kinds', limits), models: limitsOf('models', limits) }
}

function limitsOf(
  scope: LearnedLimit['scope'],
  limits: readonly LearnedLimit[],
): Record<string, Limit> | undefined {
  const own = limits.filter((limit) => limit.scope === scope)
  return own.length === 0
    ? undefined
    : Object.fromEntries(own.map(({ name, running }) => [name, { running }]))
}

/** Adds a comment with the evidence for each limit. */
export function addLimitComments(file: CommentedYaml, limits: readonly LearnedLimit[]): void {
  for (const limit of limits) {
    const { scope, name } = limit
    const path = scope === 'all' ? ['capacity', 'running'] : ['capacity', scope, name]
    file.above(path, limitText(limit))
    file.onOneLine(path)
  }
}
