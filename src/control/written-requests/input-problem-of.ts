import type { Wanted } from '../../dialects/requests/service-request.js'
import { InputError } from '../../engine/assets/input-error.js'
import { inputProblem } from '../../http/exchange/input-problem.js'
import type { Simulator } from '../../simulator.js'
import type { InputProblemShape } from '../shapes.js'

/** Why the service would reject an input; undefined if it would not. */
export function inputProblemOf(
  { tasks: { planner } }: Simulator,
  { model, kind, input }: Wanted & { readonly kind: string },
): InputProblemShape | undefined {
  try {
    planner.check(model, input)
    planner.order(kind, model, input)
    return undefined
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    const { message } = inputProblem(error)
    return { field: error.param.replace(/^input\./, ''), message }
  }
}
