import { Problem, type ProblemCode } from '../http/problem.js'
import type { ParameterDescription } from './description.js'
import type { ResponseShape } from './document-shape.js'
import { count, listOf, object, oneOf, ref, type Schema, text } from './schema.js'

const MISTAKES = listOf(
  object({
    'line?': count('Where it stands, in a scenario that is a text'),
    'column?': count('Where it stands in the line'),
    path: text('The field', { examples: ['kinds.vidoe'] }),
    message: text('What is wrong with it, and the nearest right word'),
  }),
  'The first hundred mistakes in a scenario',
)
const MORE = count('How many more mistakes there are')
const PARAM = text('The field or parameter at fault', { examples: ['model'] })
const REQUEST = text('Names the request', { examples: ['req_00000003'] })
const MESSAGE = text('What is wrong, what was given, and what to do', {
  examples: ['The field `model` is missing: give a string such as "provider/model-name".'],
})

/** How a request is refused, in the three wordings that a scenario can choose. */
export const ERROR_SCHEMAS: Readonly<Record<string, Schema>> = {
  Error: oneOf(
    'A refusal: the envelope, or `{ detail }` where the scenario says `api.errors: detail`',
    {
      ...ref('ErrorEnvelope'),
    },
    ref('ErrorDetail'),
  ),
  ErrorEnvelope: object({
    error: object({
      code: text('A word for programs', { examples: ['invalid_request'] }),
      message: MESSAGE,
      'param?': PARAM,
      request_id: REQUEST,
      'mistakes?': MISTAKES,
      'more?': MORE,
    }),
  }),
  ErrorDetail: object({ detail: MESSAGE, 'mistakes?': MISTAKES, 'more?': MORE }),
  ProblemDetails: object(
    {
      type: { const: 'about:blank' },
      title: text('The code', { examples: ['invalid_request'] }),
      status: { type: 'integer' },
      detail: MESSAGE,
      'param?': PARAM,
      request_id: REQUEST,
      'mistakes?': MISTAKES,
      'more?': MORE,
    },
    { description: 'A refusal as of RFC 9457, where the scenario says `api.errors: problem`' },
  ),
}

const HEADERS: Readonly<Record<number, Readonly<Record<string, ParameterDescription>>>> = {
  401: {
    'WWW-Authenticate': { description: 'Says that a Bearer token is wanted', schema: { type: 'string' } },
  },
  416: { 'Content-Range': { description: 'How many bytes the file has', schema: { type: 'string' } } },
  429: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } } },
  503: { 'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } } },
}

/** The refusals of an operation, by status. */
export function refusals(codes: readonly ProblemCode[]): Record<string, ResponseShape> {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of codes) {
    const { status } = new Problem(code, '')
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, refusal(status, codes)]))
}

function refusal(status: number, codes: readonly ProblemCode[]): ResponseShape {
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    ...(HEADERS[status] !== undefined && { headers: HEADERS[status] }),
    content: ERROR_CONTENT,
  }
}

/** What a refusal holds, in each of its wordings. */
export const ERROR_CONTENT: NonNullable<ResponseShape['content']> = {
  'application/json': { schema: ref('Error') },
  'application/problem+json': { schema: ref('ProblemDetails') },
}
