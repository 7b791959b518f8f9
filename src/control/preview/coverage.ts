import { operationMatcher, type ServiceOperation } from '../../engine/requests/operations.js'
import type { Kind } from '../../engine/tasks/task.js'
import type { Scenario } from '../../scenario/model/scenario.js'
import { ruleNames } from '../../scenario/rules/rules.js'

/** An example model of each kind. */
const EXAMPLES: Readonly<Record<Kind, string>> = {
  image: 'example/image',
  video: 'example/video',
  audio: 'example/audio',
  tool: 'example/tool',
  llm: 'example/chat',
}

/**
 * The models to sample: those that the scenario lists, one that matches each pattern, and one of each kind that the
 * scenario configures. If it has none of these, one of each kind.
 */
export function modelsOf({ models, kinds }: Scenario): string[] {
  const listed = Object.keys(models).map((pattern) => pattern.replaceAll('*', 'example'))
  const ofKinds = Object.keys(kinds).map((kind) => EXAMPLES[kind as Kind])
  return listed.length + ofKinds.length > 0 ? [...listed, ...ofKinds] : Object.values(EXAMPLES)
}

type Wanted = ServiceOperation | readonly ServiceOperation[] | undefined

/**
 * The rate limits and faults that a sample cannot trigger, because it sends create requests only, as
 * `name (operations)`.
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
