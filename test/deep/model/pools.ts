import type { CapacitySettings, PoolLimit } from '../../../src/engine/scenario/scenario.js'
import type { Task } from '../../../src/index.js'

type Wanted = Pick<Task, 'kind' | 'model' | 'owner'>

/** Returns the pools that limit a task. */
export function poolsOf(capacity: CapacitySettings, { kind, model, owner }: Wanted): string[] {
  const names = ['everything', `kinds ${kind}`, `models ${model}`, `keys ${owner}`]
  return names.filter((name) => limitOf(capacity, name).running !== undefined)
}

/** Returns the current limit of a pool. */
export function limitOf(capacity: CapacitySettings, pool: string): PoolLimit {
  const [group, name = ''] = pool.split(' ')
  if (group === 'everything') return capacity
  const limits: Readonly<Record<string, PoolLimit | undefined>> =
    capacity[group as 'kinds' | 'models' | 'keys'] ?? {}
  return limits[name] ?? limits['*'] ?? {}
}
