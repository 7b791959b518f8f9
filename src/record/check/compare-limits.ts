import type { CapacitySettings } from '../../scenario/model/capacity.js'
import type { ModelHistory } from '../learn/histories.js'
import { applies, type LearnedLimit, learnLimits, mostRunningIn, showsStarts } from '../learn/limits.js'
import type { Test } from './difference.js'

type Limit = Pick<LearnedLimit, 'scope' | 'name' | 'running'>

/** The limits of a scenario beside those of a history. */
interface ComparedLimits {
  readonly tests: readonly Test[]
  /** What was not compared and why, one sentence each. */
  readonly gaps: readonly string[]
  /** Whether a limit of the scenario or of the history applies to a model. */
  covers(model: ModelHistory): boolean
}

/** Compares the limits of a scenario with a history. Both are exact, so no difference is due to chance. */
export function compareLimits(capacity: CapacitySettings, models: readonly ModelHistory[]): ComparedLimits {
  const before = limitsIn(capacity).filter((limit) => models.some((model) => applies(limit, model)))
  if (!showsStarts(models)) {
    const gaps = before.length === 0 ? [] : ['limits: the history does not show when tasks started']
    return { tests: [], gaps, covers: () => false }
  }
  const found = learnLimits(models)
  const changed = before.flatMap((limit) => changedLimit(limit, found, models))
  const isCovered = (limits: readonly Limit[]) => (model: ModelHistory) =>
    limits.some((limit) => applies(limit, model))
  const added = found.filter(
    (limit) => !models.some((model) => applies(limit, model) && isCovered(before)(model)),
  )
  return {
    tests: [...changed, ...added.map((limit) => testOf({ ...limit, running: undefined }, limit.running))],
    gaps: [],
    covers: isCovered([...before, ...found]),
  }
}

/** @returns a list with the change; empty if the history agrees with the limit, or too few tasks waited */
function changedLimit(limit: Limit, found: readonly LearnedLimit[], models: readonly ModelHistory[]): Test[] {
  const now = found.find(({ scope, name }) => scope === limit.scope && name === limit.name)?.running
  const most = mostRunningIn(models.filter((model) => applies(limit, model)))
  return (now === undefined ? most <= limit.running : now === limit.running) ? [] : [testOf(limit, now)]
}

function limitsIn({ running, kinds = {}, models = {} }: CapacitySettings): Limit[] {
  const named = (scope: 'kinds' | 'models', limits: NonNullable<CapacitySettings['kinds']>) =>
    Object.entries(limits).flatMap(([name, limit]) =>
      limit?.running === undefined ? [] : [{ scope, name, running: limit.running }],
    )
  const all = running === undefined ? [] : [{ scope: 'all' as const, name: '', running }]
  return [...all, ...named('kinds', kinds), ...named('models', models)]
}

function testOf(
  { scope, name, running }: { scope: Limit['scope']; name: string; running: number | undefined },
  now: number | undefined,
): Test {
  const text = (limit: number | undefined) => (limit === undefined ? 'no limit' : `at most ${limit} running`)
  const change = {
    name: { all: 'all models', kinds: `all ${name} models`, models: name }[scope],
    what: 'limit',
    before: text(running),
    after: text(now),
  } as const
  return { change, p: 0 }
}
