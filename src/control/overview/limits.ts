import { mask } from '../../engine/mask.js'
import type { CapacitySettings, PoolLimit } from '../../scenario/model/capacity.js'
import type { CapacityLimitShape } from '../shapes.js'

/** The limits on running tasks in a scenario; keys are masked, patterns are not. */
export function limitsOf({ running, queued, kinds, models, keys }: CapacitySettings): CapacityLimitShape[] {
  return [
    ...limit('everything', '', { running, queued }),
    ...limitsBy('kind', kinds),
    ...limitsBy('model', models),
    ...limitsBy('key', keys),
  ]
}

function limitsBy(
  scope: CapacityLimitShape['scope'],
  limits: Readonly<Record<string, PoolLimit | undefined>> = {},
): CapacityLimitShape[] {
  return Object.entries(limits).flatMap(([name, each = {}]) => {
    const shown = scope === 'key' && !name.includes('*') ? mask(name) : name
    return limit(scope, shown, each)
  })
}

function limit(
  scope: CapacityLimitShape['scope'],
  name: string,
  { running, queued }: PoolLimit,
): CapacityLimitShape[] {
  return running === undefined ? [] : [{ scope, name, running, queued }]
}
