import { globMatcher } from '../scenario/glob.js'
import type { PoolLimit, PoolLimits } from '../scenario/scenario.js'
import type { Task } from './task.js'

/** The traits of a task that determine its limits. */
export type Applicant = Pick<Task, 'kind' | 'model' | 'owner'>

/** The limits of a scenario on running and waiting tasks: of all tasks, of a kind, of a model and of an API key. */
export class CapacityLimits {
  /** Whether nothing is limited. */
  readonly isNone: boolean
  readonly #settings: PoolLimits

  constructor(settings: PoolLimits) {
    const { running, kinds = {}, models = {}, keys = {} } = settings
    const limits = [kinds, models, keys]
    this.isNone = running === undefined && limits.every((each) => Object.keys(each).length === 0)
    this.#settings = settings
  }

  /** The names of the pools in which a task takes a slot. */
  namesOf({ kind, model, owner }: Applicant): string[] {
    const names = ['everything', `kinds ${kind}`, `models ${model}`, `keys ${owner}`]
    return names.filter((name) => this.of(name).running !== undefined)
  }

  /** The limit of the pool with a name from {@link namesOf}. */
  of(name: string): PoolLimit {
    if (name === 'everything') return this.#settings
    const space = name.indexOf(' ')
    const limits = this.#settings[name.slice(0, space) as 'kinds' | 'models' | 'keys'] ?? {}
    return bestMatch(limits, name.slice(space + 1)) ?? {}
  }
}

/** The limit with exactly this name, or the first one whose pattern matches it. */
function bestMatch(
  limits: Readonly<Record<string, PoolLimit | undefined>>,
  name: string,
): PoolLimit | undefined {
  if (Object.hasOwn(limits, name)) return limits[name]
  return Object.entries(limits).find(([pattern]) => pattern.includes('*') && globMatcher(pattern)(name))?.[1]
}
