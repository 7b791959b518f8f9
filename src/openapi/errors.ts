import * as v from 'valibot'
import { count, described, list, number, text } from '../control/schema/parts.js'
import { Problem, type ProblemCode } from '../http/exchange/problem.js'
import { refTo } from './json-schema.js'
import type { OpenApiResponse } from './openapi.js'

const mistakes = {
  mistakes: v.optional(
    list(
      v.strictObject({
        line: v.optional(count('The line, if the scenario was given as text')),
        column: v.optional(count('The column in the line')),
        path: text('The field', { examples: ['kinds.vidoe'] }),
        message: text('What is wrong, and the closest valid name'),
      }),
      'The first hundred mistakes in a scenario',
    ),
  ),
  more: v.optional(count('How many more mistakes there are')),
}
const message = text('What is wrong, what was given, and what to do', {
  examples: ['The field `model` is missing: give a string such as "provider/model-name".'],
})
const about = {
  param: v.optional(text('The field or parameter that is wrong', { examples: ['model'] })),
  request_id: text('The id of the request', { examples: ['req_00000003'] }),
  ...mistakes,
}

const ErrorEnvelope = v.strictObject({
  error: described(
    v.strictObject({
      code: text('An error code for programs', { examples: ['invalid_request'] }),
      message,
      ...about,
    }),
    'The error',
  ),
})
const ErrorDetail = v.strictObject({ detail: message, ...mistakes })

/** The three formats of an error response; the scenario selects one with `api.errors`. */
export const ERROR_COMPONENTS = {
  Error: described(
    v.union([ErrorEnvelope, ErrorDetail]),
    'An error: the envelope, or `{ detail }` if the scenario sets `api.errors: detail`',
  ),
  ErrorEnvelope,
  ErrorDetail,
  ProblemDetails: described(
    v.strictObject({
      type: v.literal('about:blank'),
      title: text('The error code', { examples: ['invalid_request'] }),
      status: number('The HTTP status', { type: 'integer' }),
      detail: message,
      ...about,
    }),
    'An error as in RFC 9457, if the scenario sets `api.errors: problem`',
  ),
}

const RETRY_AFTER = {
  'Retry-After': { description: 'How many seconds to wait', schema: { type: 'integer', minimum: 1 } },
}
const HEADERS: Readonly<Record<number, NonNullable<OpenApiResponse['headers']>>> = {
  401: {
    'WWW-Authenticate': { description: 'Asks for a Bearer token', schema: { type: 'string' } },
  },
  416: { 'Content-Range': { description: 'The size of the file in bytes', schema: { type: 'string' } } },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
}

/** The content of an error response in each of its formats. */
export const ERROR_CONTENT: NonNullable<OpenApiResponse['content']> = {
  'application/json': { schema: refTo('Error') },
  'application/problem+json': { schema: refTo('ProblemDetails') },
}

/** The error responses of an operation by status. */
export function errorResponses(codes: readonly ProblemCode[]): Record<string, OpenApiResponse> {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of codes) {
    const { status } = new Problem(code, '')
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, errorResponse(status, codes)]))
}

function errorResponse(status: number, codes: readonly ProblemCode[]): OpenApiResponse {
  const headers = HEADERS[status]
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    ...(headers !== undefined && { headers }),
    content: ERROR_CONTENT,
  }
}
