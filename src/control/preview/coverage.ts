import { type OperationName, operationMatcher } from '../../engine/requests/operations.js'
import { ruleNames } from '../../engine/scenario/rules.js'
import { KINDS, kindNamed } from '../../kinds/built-in-kinds.js'
import type { Scenario } from '../../scenario/scenario.js'

/**
 * Returns the models to sample: the models that the scenario lists, an example for each pattern, and an example for each
 * kind that the scenario configures. Without any of these, returns an example for each kind.
 */
export function modelsOf({ models, kinds }: Scenario): string[] {
  const listed = Object.keys(models).map((pattern) => pattern.replaceAll('*', 'example'))
  const configured = Object.keys(kinds).flatMap((name) => kindNamed(name) ?? [])
  const shown = listed.length + configured.length > 0 ? configured : KINDS
  return [...listed, ...shown.map(({ example }) => example.model)]
}

type Operations = OperationName | readonly OperationName[] | undefined

/**
 * Returns the rate limits and faults that a sample cannot trigger, because it sends only create requests. Each has the
 * form `name (operations)`.
 */
export function notSampled({ rate_limits: rateLimits, faults }: Scenario): string[] {
  return [
    ...excluded(ruleNames(rateLimits, 'rate_limits'), (index) => rateLimits[index]?.operation),
    ...excluded(ruleNames(faults, 'faults'), (index) => faults[index]?.when?.operation),
  ]
}

function excluded(names: readonly string[], operationAt: (index: number) => Operations): string[] {
  return names.flatMap((name, index) => {
    const operations = operationAt(index)
    return operationMatcher(operations)('tasks.create') ? [] : [`${name} (${[operations].flat().join(', ')})`]
  })
}
