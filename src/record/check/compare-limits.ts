import type { CapacitySettings } from '../../scenario/model/capacity.js'
import { contradicts } from '../learn/limits/find-limit.js'
import { flowOf } from '../learn/limits/flow.js'
import { addStarts, type LearnedLimit, learnLimits, showsStarts } from '../learn/limits/learn-limits.js'
import type { ModelHistory } from '../learn/model-history.js'
import type { Change } from './change.js'

/** The limits of a scenario that a history contradicts, and the starts of tasks under the actual limits. */
export interface ComparedLimits {
  readonly certain: readonly Change[]
  readonly starts: ReadonlyMap<ModelHistory, Float64Array>
}

type Limit = Pick<LearnedLimit, 'scope' | 'name' | 'running'>

/** Compares the limits of a scenario with a history. */
export function compareLimits(capacity: CapacitySettings, models: readonly ModelHistory[]): ComparedLimits {
  const found = learnLimits(models)
  const starts = new Map(found.starts)
  const certain: Change[] = []
  const covered = new Set<ModelHistory>()
  for (const limit of limitsIn(capacity)) {
    const group = models.filter((model) => applies(limit, model))
    if (group.length === 0) continue
    for (const model of group) covered.add(model)
    const flow = flowOf(group)
    const now = found.limits.find(({ scope, name }) => scope === limit.scope && name === limit.name)
    const isChanged = showsStarts(flow)
      ? now !== undefined && now.running !== limit.running
      : contradicts(flow, limit.running)
    if (isChanged) certain.push(changeOf(limit, now))
    else addStarts(starts, flow, limit.running)
  }
  for (const limit of found.limits) {
    const group = models.filter((model) => applies(limit, model))
    if (!group.some((model) => covered.has(model)))
      certain.push(changeOf({ ...limit, running: undefined }, limit))
  }
  return { certain, starts }
}

function limitsIn({ running, kinds = {}, models = {} }: CapacitySettings): Limit[] {
  const named = (scope: 'kinds' | 'models', limits: NonNullable<CapacitySettings['kinds']>) =>
    Object.entries(limits).flatMap(([name, limit]) =>
      limit?.running === undefined ? [] : [{ scope, name, running: limit.running }],
    )
  const all = running === undefined ? [] : [{ scope: 'all' as const, name: '', running }]
  return [...all, ...named('kinds', kinds), ...named('models', models)]
}

function applies({ scope, name }: Pick<Limit, 'scope' | 'name'>, { model, kind }: ModelHistory): boolean {
  return scope === 'all' || name === (scope === 'kinds' ? kind : model)
}

function changeOf(
  { scope, name, running }: { scope: Limit['scope']; name: string; running: number | undefined },
  now: LearnedLimit | undefined,
): Change {
  const text = (limit: number | undefined) => (limit === undefined ? 'no limit' : `at most ${limit} running`)
  return {
    name: { all: 'all models', kinds: `all ${name} models`, models: name }[scope],
    what: 'limit',
    before: text(running),
    after: text(now?.running),
  }
}
