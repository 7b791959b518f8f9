import { type Directive, DirectiveError, parseDirective } from '../../engine/directive/directive.js'
import { findDirective } from '../../engine/directive/find-directive.js'
import type { ServiceOperation } from '../../engine/requests/operations.js'
import { surveyedInput } from '../input-survey.js'
import { readJsonObject } from '../json-body.js'
import type { Exchange } from '../operation.js'
import { Problem } from '../problem.js'

/** The header that holds a directive. */
const HEADER = 'X-Sim'

/**
 * What a request asks for itself in its X-Sim header.
 * @throws Problem 400 which names the key and the value
 */
export function directiveInHeader({ request }: Exchange, operation: ServiceOperation): Directive | undefined {
  const header = request.header('x-sim')
  if (header === undefined) return undefined
  return followed(() => onlyWhatFits(parseDirective(header), operation))
}

/**
 * What a request that creates a task asks for itself, in any text of the input.
 * @throws Problem 400 which names the field, the key and the value
 */
export async function directiveInInput(exchange: Exchange): Promise<Directive | undefined> {
  const survey = await surveyedInput(exchange).catch(() => undefined)
  if (!survey?.mentionsDirective) return undefined
  const { input = null } = await readJsonObject(exchange)
  return followed(() => findDirective(input))
}

function followed(read: () => Directive | undefined): Directive | undefined {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof DirectiveError)) throw error
    const param = error.field ?? HEADER
    const message = `The directive in \`${param}\` cannot be followed: ${error.message.replace(/[^?]$/, '$&.')}`
    throw new Problem('invalid_request', message, { param })
  }
}

function onlyWhatFits(directive: Directive, operation: ServiceOperation): Directive {
  const { plan, webhookFault } = directive
  const isAboutTask = Object.keys(plan.error).length > 0 || webhookFault !== undefined
  const isPlanned = plan.outcome !== undefined || plan.end !== undefined || plan.cost !== undefined
  if (operation === 'tasks.create' || !(isAboutTask || isPlanned)) return directive
  throw new DirectiveError(
    'only `fault` says something about a request that creates no task. Send the rest with the request that does',
  )
}
