import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { findRoute, ROUTES } from '../../src/hosts/api.js'
import { controlDocument } from '../../src/openapi/control-document.js'
import type { OpenApiDocument, OpenApiMedia } from '../../src/openapi/openapi.js'
import { serviceDocument } from '../../src/openapi/service/document.js'
import { ajvWith } from '../support/ajv.js'

const ORIGIN = 'http://127.0.0.1:4010'
const DOCUMENTS: readonly (readonly [string, OpenApiDocument])[] = [
  ['control', controlDocument(ORIGIN)],
  ['service', serviceDocument(ORIGIN)],
]

/** Returns every operation in a document, with its path and id. */
function described({ paths, servers }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      // Common client generators use only the first server of the document.
      url: `${servers[0]?.url}${path}`,
    })),
  )
}

/** Returns the content of all requests and answers. */
function contentsOf({ paths }: OpenApiDocument): OpenApiMedia[] {
  return Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ requestBody, responses }) => [requestBody ?? {}, ...Object.values(responses)])
    .flatMap((part: { content?: Readonly<Record<string, OpenApiMedia>> }) =>
      Object.values(part.content ?? {}),
    )
    .filter(({ schema }) => schema !== undefined)
}

test('every route is in one of the documents, and nothing else is', () => {
  const routed = ROUTES.flatMap(({ methods }) =>
    Object.entries(methods).map(([method, { id }]) => `${method} ${id}`),
  )
  const documented = DOCUMENTS.flatMap(([, document]) => described(document)).map(
    ({ id, method }) => `${method} ${id}`,
  )
  expect(documented.sort()).toEqual(routed.sort())
})

test('every documented path leads to its operation', () => {
  for (const { id, method, url } of DOCUMENTS.flatMap(([, document]) => described(document))) {
    const path = new URL(url).pathname
      .replace('%7Btask_id%7D', 'task_82wsE0eJdLYSLPR9BIkYOFzx')
      .replace('files/%7Bfile%7D', 'files/0')
      .replace('%7Bfile%7D', '0.png')
      .replaceAll(/%7B\w+%7D/g, 'some')
    expect(findRoute(path)?.route.methods[method]?.id, `${method} ${path}`).toBe(id)
  }
})

describe.each(DOCUMENTS)('the document of the %s API', (_, document) => {
  test('is valid OpenAPI 3.1 according to an independent validator', async () => {
    const result = await new Validator().validate(structuredClone(document) as never)
    expect(result.errors).toBeUndefined()
    expect(result.valid).toBe(true)
  })

  test('names every parameter of a path', () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const { parameters = [] } of Object.values(methods)) {
        const named = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
        expect(named).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
      }
    }
  })

  test('has a component for every reference, and a reference for every component', () => {
    const text = JSON.stringify(document)
    const referred = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name))
    expect([...referred].sort()).toEqual(Object.keys(document.components.schemas).sort())
  })

  test('has examples that match their schemas', () => {
    const ajv = ajvWith()
    ajv.addSchema(document, 'document')
    for (const { schema, examples = {} } of contentsOf(document)) {
      const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components')
      const validate = ajv.compile(JSON.parse(text))
      for (const { value } of Object.values(examples))
        expect(validate(value) ? [] : validate.errors, JSON.stringify(value)).toEqual([])
    }
  })

  test('lists every tag that an operation has', () => {
    const operations = [document.paths, document.webhooks ?? {}].flatMap((paths) =>
      Object.values(paths).flatMap((methods) => Object.values(methods)),
    )
    const used = new Set(operations.flatMap(({ tags }) => tags))
    expect([...used].sort()).toEqual(document.tags.map(({ name }) => name).sort())
  })
})
