import type { JsonObject } from '../engine/json.js'
import { InputError } from '../engine/tasks/kinds.js'
import type { Planner } from '../engine/tasks/planner.js'
import { invalid, Problem } from './problem.js'

/**
 * Checks the input of a task, as the kind of its model requires.
 * @throws Problem 400 with the parameter
 */
export function checkInput(planner: Planner, model: string, input: JsonObject): void {
  try {
    planner.check(model, input)
  } catch (error) {
    throw error instanceof InputError ? inputProblem(error) : error
  }
}

/** Rejects the input of a task: the message contains the whole path, and `param` the field. */
export function inputProblem({ param, path, given, expected, hint, isMissing }: InputError): Problem {
  if (isMissing) {
    const message = `The field \`${path}\` is missing: give ${expected}.${hint}`
    return new Problem('invalid_request', message, { param })
  }
  const { code, message } = invalid('field', path, given, expected, hint)
  return new Problem(code, message, { param })
}
