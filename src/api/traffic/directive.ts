import { type Directive, DirectiveError, parseDirective } from '../../core/directive/directive.js'
import { findDirective } from '../../core/directive/find-directive.js'
import type { ServiceOperation } from '../../core/traffic/operations.js'
import { readJsonObject } from '../json-body.js'
import type { Exchange } from '../operation.js'
import { Problem } from '../problem.js'

/** The header that holds a directive. */
const HEADER = 'X-Sim'

/**
 * What a request asks for itself: in its X-Sim header, or, where it creates a task, in any text of the input.
 * The header goes before the input.
 * @throws Problem 400 which names the key and the value
 */
export async function readDirective(
  exchange: Exchange,
  operation: ServiceOperation,
): Promise<Directive | undefined> {
  const header = exchange.request.header('x-sim')
  try {
    if (header !== undefined) return onlyWhatFits(parseDirective(header), operation)
    if (operation !== 'tasks.create') return undefined
    const body = await readJsonObject(exchange).catch(() => undefined)
    return body === undefined ? undefined : findDirective(body['input'] ?? null)
  } catch (error) {
    if (!(error instanceof DirectiveError)) throw error
    const param = error.field ?? HEADER
    throw new Problem(
      'invalid_request',
      `The directive in \`${param}\` cannot be followed: ${error.message}.`,
      {
        param,
      },
    )
  }
}

function onlyWhatFits(directive: Directive, operation: ServiceOperation): Directive {
  const { plan, mischief } = directive
  const isAboutTask = Object.keys(plan.error).length > 0 || mischief !== undefined
  const isPlanned = plan.outcome !== undefined || plan.end !== undefined || plan.cost !== undefined
  if (operation === 'tasks.create' || !(isAboutTask || isPlanned)) return directive
  throw new DirectiveError(
    'only `fault` says something about a request that creates no task. Send the rest with the request that does',
  )
}
