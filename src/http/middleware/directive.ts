import { type Directive, DirectiveError, parseDirective } from '../../engine/directive/directive.js'
import { findDirective as findInInput } from '../../engine/directive/find-directive.js'
import type { OperationName } from '../../engine/requests/operations.js'
import { Problem } from '../../exchange/problem.js'
import type { ServiceExchange } from '../operation.js'

/** The header that holds a directive. */
const HEADER = 'X-Sim'

/**
 * Finds the directive of a request: in its X-Sim header or, if it creates a task, in any text of its input.
 * @throws Problem 400 with the header or the field, the key and the value
 */
export function findDirective({ sim, request, operation, body }: ServiceExchange): Directive | undefined {
  if (sim.scenario.directives === 'off') return undefined
  const header = request.header('x-sim')
  if (header !== undefined) return withProblem(() => checkOperation(parseDirective(header), operation.id))
  const { summary, input = null } = body.draft ?? {}
  return summary?.mentionsDirective ? withProblem(() => findInInput(input)) : undefined
}

function withProblem<Found extends Directive | undefined>(read: () => Found): Found {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof DirectiveError)) throw error
    const param = error.field ?? HEADER
    const message = `The directive in \`${param}\` cannot be followed: ${error.message.replace(/[^?]$/, '$&.')}`
    throw new Problem('invalid_request', message, { param })
  }
}

function checkOperation(directive: Directive, operation: OperationName): Directive {
  const { plan, webhookFault } = directive
  const isAboutTask = Object.keys(plan.error).length > 0 || webhookFault !== undefined
  const isPlanned = plan.outcome !== undefined || plan.end !== undefined || plan.cost !== undefined
  if (operation === 'tasks.create' || !(isAboutTask || isPlanned)) return directive
  throw new DirectiveError(
    'only `fault` and `retry_after` apply to a request that does not create a task. Send the other keys with the create request',
  )
}
