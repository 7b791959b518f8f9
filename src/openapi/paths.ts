import type { Route } from '../http/operation.js'
import type { ContentDescription, Description, Descriptions, ParameterDescription } from './description.js'
import type { MediaShape, OperationShape, ParameterShape, ResponseShape } from './document-shape.js'
import { refusals } from './errors.js'

/** An operation, and where it stands in a document. */
interface Place {
  readonly path: string
  readonly method: string
  readonly operation: OperationShape
}

/**
 * The operations of the table of routes that are described, in the order of the descriptions.
 * @param more what every operation says beside its own
 */
export function places(
  routes: readonly Route[],
  descriptions: Descriptions,
  more: Partial<OperationShape> = {},
): Place[] {
  const methods = new Map(
    routes.flatMap((route) =>
      Object.entries(route.methods).map(([method, { id }]) => [id as string, method]),
    ),
  )
  return Object.entries(descriptions).flatMap(([id, description]) => {
    const method = methods.get(id)?.toLowerCase()
    if (method === undefined || description === undefined) return []
    return [{ path: description.path, method, operation: { ...operationOf(id, description), ...more } }]
  })
}

/** Puts operations on the same path together. */
export function pathsOf(all: readonly Place[]): Record<string, Record<string, OperationShape>> {
  const paths: Record<string, Record<string, OperationShape>> = {}
  for (const { path, method, operation } of all) paths[path] = { ...paths[path], [method]: operation }
  return paths
}

function operationOf(id: string, described: Description): OperationShape {
  const { tag, summary, description, body, answers, errors = [] } = described
  const parameters = [
    ...parametersIn('path', described.params),
    ...parametersIn('query', described.query),
    ...parametersIn('header', described.headers),
  ]
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && {
      requestBody: {
        required: body.optional !== true,
        content: { 'application/json': { schema: body.schema, examples: examplesOf(body.examples) } },
      },
    }),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, responseOf(answer)])),
      ...refusals(errors),
    },
  }
}

function parametersIn(
  place: ParameterShape['in'],
  parameters: Readonly<Record<string, ParameterDescription>> = {},
): ParameterShape[] {
  return Object.entries(parameters).map(([name, { description, schema }]) => ({
    name,
    in: place,
    required: place === 'path',
    description,
    schema,
  }))
}

function responseOf({ description, type, schema, example, headers }: ContentDescription): ResponseShape {
  const media = {
    ...(schema !== undefined && { schema }),
    ...(example !== undefined && { examples: { example: { value: example } } }),
  }
  return {
    description,
    ...(headers !== undefined && { headers }),
    ...(schema !== undefined && { content: { [type ?? 'application/json']: media } }),
  }
}

function examplesOf(examples: Readonly<Record<string, unknown>>): NonNullable<MediaShape['examples']> {
  return Object.fromEntries(
    Object.entries(examples).map(([summary, value]) => [
      summary.replaceAll(/[^a-zA-Z]+/g, '_'),
      { summary, value },
    ]),
  )
}
