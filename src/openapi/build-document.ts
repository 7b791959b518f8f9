import * as v from 'valibot'
import type { OperationDescription, ResponseDescription } from '../control/operation.js'
import { count, described, list, number, text } from '../control/schema/parts.js'
import { Problem, type ProblemCode } from '../exchange/problem.js'
import { converter, refTo } from './json-schema.js'
import type {
  OpenApiDocument,
  OpenApiMedia,
  OpenApiOperation,
  OpenApiParameter,
  OpenApiPath,
  OpenApiResponse,
  OpenApiSchema,
} from './openapi.js'

type Convert = (schema: v.GenericSchema) => OpenApiSchema

type Schemas = Readonly<Record<string, v.GenericSchema>>

/** The parts of a document. */
interface Parts extends Pick<OpenApiDocument, 'info' | 'security' | 'tags' | 'webhooks'> {
  readonly origin: string
  readonly securitySchemes: OpenApiDocument['components']['securitySchemes']
  /** The method and path of each operation, such as `GET /_sim/tasks/{id}`. */
  readonly paths: Readonly<Record<string, string>>
  readonly operations: Readonly<Record<string, OperationDescription>>
  readonly schemas: Schemas
}

/** Builds a document with the schemas that it refers to. */
export function buildDocument(parts: Parts): OpenApiDocument {
  const { info, origin, security, tags, webhooks, securitySchemes, operations } = parts
  const schemas: Schemas = { ...parts.schemas, ...ERROR_COMPONENTS }
  const convert = converter(schemas)
  const paths: Record<string, OpenApiPath> = {}
  for (const [id, description] of Object.entries(operations)) {
    const [method = '', path = ''] = parts.paths[id]?.split(' ') ?? []
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(id, description, convert) }
  }
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: origin }],
    security,
    tags,
    paths,
    ...(webhooks !== undefined && { webhooks }),
    components: { schemas: referredTo(schemas, convert, { paths, webhooks }), securitySchemes },
  }
}

/** The components that a document refers to, directly or through other components, in alphabetical order. */
function referredTo(schemas: Schemas, convert: Convert, document: object): Record<string, OpenApiSchema> {
  const found = new Map<string, OpenApiSchema>()
  const search = (part: object) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      const schema = schemas[name]
      if (schema === undefined || found.has(name)) continue
      const converted = convert(schema)
      found.set(name, converted)
      search(converted)
    }
  }
  search(document)
  const names = [...found.keys()].sort()
  return Object.fromEntries(names.map((name) => [name, found.get(name) ?? {}]))
}

function operationOf(id: string, described: OperationDescription, convert: Convert): OpenApiOperation {
  const { tag, summary, description, body, responses, errors = [], isPublic, canFault } = described
  const parameters = parametersOf(described, convert)
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(isPublic && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: body.optional !== true,
        content: {
          [body.type ?? 'application/json']: {
            schema: convert(body.schema),
            examples: examplesOf(body.examples),
          },
        },
      },
    }),
    responses: {
      ...Object.fromEntries(Object.entries(responses).map(([status, it]) => [status, responseOf(it)])),
      ...errorResponses(errors),
      ...(canFault && { default: FAULT }),
    },
  }
}

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
const ERROR_COMPONENTS = {
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
const ERROR_CONTENT: NonNullable<OpenApiResponse['content']> = {
  'application/json': { schema: refTo('Error') },
  'application/problem+json': { schema: refTo('ProblemDetails') },
}

/** The error responses of an operation by status. */
function errorResponses(codes: readonly ProblemCode[]): Record<string, OpenApiResponse> {
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

const FAULT: OpenApiResponse = {
  description: 'The response of a fault in the scenario',
  content: ERROR_CONTENT,
}

function parametersOf(
  { params = {}, query, headers = {} }: OperationDescription,
  convert: Convert,
): OpenApiParameter[] {
  const { properties = {} } = query === undefined ? {} : convert(query)
  return [
    ...Object.entries(params).map(([name, description]) => textParameter('path', name, description)),
    ...Object.entries(properties as Readonly<Record<string, OpenApiSchema>>).map(
      ([name, { description, ...schema }]): OpenApiParameter => ({
        name,
        in: 'query',
        required: false,
        description: String(description),
        schema,
      }),
    ),
    ...Object.entries(headers).map(([name, description]) => textParameter('header', name, description)),
  ]
}

function textParameter(part: 'path' | 'header', name: string, description: string): OpenApiParameter {
  return { name, in: part, required: part === 'path', description, schema: { type: 'string' } }
}

function responseOf({ description, json, content, example, headers }: ResponseDescription): OpenApiResponse {
  const { type, schema } = content ?? { type: 'application/json', schema: json && refTo(json) }
  return {
    description,
    ...(headers !== undefined && { headers: mapValues(headers, headerOf) }),
    ...(schema && {
      content: {
        [type]: { schema, ...(example !== undefined && { examples: { example: { value: example } } }) },
      },
    }),
  }
}

function headerOf(description: string) {
  return { description, schema: { type: 'string' } }
}

function mapValues<Value, Result>(record: Readonly<Record<string, Value>>, map: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}

function examplesOf(examples: Readonly<Record<string, unknown>>): NonNullable<OpenApiMedia['examples']> {
  return Object.fromEntries(
    Object.entries(examples).map(([summary, value]) => [
      summary.replaceAll(/[^a-zA-Z]+/g, '_'),
      { summary, value },
    ]),
  )
}
