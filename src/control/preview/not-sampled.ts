import { operationMatcher, type ServiceOperation } from '../../engine/requests/operations.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import { ruleNames } from '../../scenario/rules/rules.js'

type Wanted = ServiceOperation | readonly ServiceOperation[] | undefined

/**
 * The rate limits and faults of a scenario that a sample cannot meet, as `name (operations)`: a sample sends create
 * requests only.
 */
export function notSampled({ rateLimits, faults }: Scenario): string[] {
  return [
    ...excluded(ruleNames(rateLimits, 'rate_limits'), (index) => rateLimits[index]?.operation),
    ...excluded(ruleNames(faults, 'faults'), (index) => faults[index]?.when?.operation),
  ]
}

function excluded(names: readonly string[], operationAt: (index: number) => Wanted): string[] {
  return names.flatMap((name, index) => {
    const wanted = operationAt(index)
    return operationMatcher(wanted)('tasks.create') ? [] : [`${name} (${[wanted].flat().join(', ')})`]
  })
}
