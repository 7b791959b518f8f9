import { ScenarioError } from '../../src/index.js'

/** Returns the ScenarioError that a function throws. */
export function scenarioErrorOf(action: () => unknown): ScenarioError {
  try {
    action()
  } catch (error) {
    if (error instanceof ScenarioError) return error
    throw error
  }
  throw new Error('Expected a ScenarioError, got none')
}
