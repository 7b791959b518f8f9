import type { Scenario } from '../../../core/scenario/scenario.js'
import { namesOf } from '../../../core/scenario/trigger.js'
import { operationMatcher, type ServiceOperation } from '../../../core/traffic/operations.js'

type Wanted = ServiceOperation | readonly ServiceOperation[] | undefined

/**
 * The rate limits and faults of a scenario that a sample cannot meet, as `name (operations)`: a sample sends create
 * requests only.
 */
export function notSampled({ rateLimits, faults }: Scenario): string[] {
  return [
    ...excluded(namesOf(rateLimits, 'rate_limits'), (index) => rateLimits[index]?.operation),
    ...excluded(namesOf(faults, 'faults'), (index) => faults[index]?.when?.operation),
  ]
}

function excluded(names: readonly string[], operationAt: (index: number) => Wanted): string[] {
  return names.flatMap((name, index) => {
    const wanted = operationAt(index)
    return operationMatcher(wanted)('tasks.create') ? [] : [`${name} (${[wanted].flat().join(', ')})`]
  })
}
