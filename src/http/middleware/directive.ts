import type { Awaitable } from '../../engine/awaitable.js'
import {
  type Directive,
  DirectiveError,
  findDirective as findInInput,
  parseDirective,
} from '../../engine/directive/directive.js'
import type { OperationName } from '../../engine/requests/operations.js'
import { Problem } from '../../exchange/problem.js'
import { readDraft } from '../handlers/create-body.js'
import type { OrderReader, SummarizedDraft } from '../handlers/create-order.js'
import type { ServiceExchange } from '../operation.js'

/** The header that holds a directive. */
const HEADER = 'X-Sim'

/**
 * Reads the directive of a request: in its X-Sim header or, if it creates a task, in any text of its input.
 * @returns a promise only if the body must be read
 * @throws Problem 400 with the header or the field, the key and the value
 */
export function findDirective(exchange: ServiceExchange): Awaitable<Directive | undefined> {
  const { sim, request, operation } = exchange
  if (sim.scenario.directives === 'off') return undefined
  const header = request.header('x-sim')
  if (header !== undefined) return parsedHeader(header, operation.id)
  return operation.reader === undefined ? undefined : directiveInInput(exchange, operation.reader)
}

function parsedHeader(header: string, operation: OperationName): Directive {
  return withProblem(() => checkOperation(parseDirective(header), operation))
}

async function directiveInInput(
  exchange: ServiceExchange,
  reader: OrderReader,
): Promise<Directive | undefined> {
  let draft: SummarizedDraft
  try {
    draft = await readDraft(exchange, reader)
  } catch {
    // The operation rejects a body that cannot be read.
    return undefined
  }
  const { summary, input = null } = draft
  return summary.mentionsDirective ? withProblem(() => findInInput(input)) : undefined
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
