import type { ValidateFunction } from 'ajv/dist/2020.js'
import { expect, onTestFinished } from 'vitest'
import { findRoute } from '../../src/hosts/api.js'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/index.js'
import { controlDocument } from '../../src/openapi/control-document.js'
import type { OpenApiDocument, OpenApiOperation } from '../../src/openapi/openapi.js'
import { serviceDocument } from '../../src/openapi/service/document.js'
import { ajvWith } from '../support/ajv.js'

const ORIGIN = 'http://127.0.0.1:4010'

/** The operation id and status of each answer so far. */
export const seen = new Set<string>()

/** A client of a real server that checks every answer against the documents. */
export interface DescribedClient {
  readonly sim: Simulator
  readonly origin: string
  /** Sends a request and returns the JSON of the answer, or its text. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any part of the answer
  readonly body: any
}

/** Serves a simulator on a free port. */
export async function openDescribed(options: SimulatorOptions = {}): Promise<DescribedClient> {
  const sim = createSimulator({ clock: 'manual', ...options })
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(async () => {
    sim.close()
    await close()
  })
  const { origin } = new URL(baseUrl)
  return {
    sim,
    origin,
    async call(method, path, body, headers) {
      const response = await fetch(origin + path, {
        method,
        headers: {
          authorization: 'Bearer sk_live_local',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      return checked(method, path, response)
    },
  }
}

async function checked(method: string, path: string, response: Response): Promise<Answer> {
  const { pathname } = new URL(path, ORIGIN)
  const inSandbox = pathname.replace(/^\/_sim\/sandboxes\/sb_\w+\//, '/_sim/')
  const id = findRoute(inSandbox)?.route.methods[method]?.id
  if (id === undefined) throw new Error(`Nothing is described at ${method} ${path}`)
  seen.add(`${id} ${response.status}`)
  const type = (response.headers.get('content-type') ?? '').replace(/;.*/, '')
  const text = type.includes('image') ? '' : await response.text()
  const body = type.endsWith('json') ? JSON.parse(text) : text
  const validate = validatorOf(id, response.status, type)
  expect(validate?.(body) === false ? validate.errors : [], `${method} ${path}: ${text}`).toEqual([])
  return { status: response.status, body }
}

const ajv = ajvWith({ allErrors: true })
const DOCUMENTS: Readonly<Record<string, OpenApiDocument>> = {
  control: closed(controlDocument(ORIGIN)),
  service: closed(serviceDocument(ORIGIN)),
}
for (const [name, document] of Object.entries(DOCUMENTS)) ajv.addSchema(document, name)

/** Forbids undocumented fields in an object schema, so that a new field must be documented. */
function closed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(closed) as Value
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, closed(part)]))
  const isObject = inner['type'] === 'object' && 'properties' in inner && !('additionalProperties' in inner)
  return (isObject ? { ...inner, additionalProperties: false } : inner) as Value
}

/** Every operation in the documents, with its method and path. */
export const OPERATIONS = Object.entries(DOCUMENTS).flatMap(([document, { paths }]) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ document, path, method, operation })),
  ),
)

/** Returns the validator for a status of an operation. Fails if the document does not list the answer. */
function validatorOf(id: string, status: number, type: string): ValidateFunction | undefined {
  const found = OPERATIONS.find(({ operation }) => operation.operationId === id)
  if (found === undefined) throw new Error(`${id} is not described`)
  const { document, path, method, operation } = found
  const at = ['paths', path, method, 'responses', String(status)]
  const response = operation.responses[status]
  if (response === undefined) throw new Error(`${id} may not be answered with ${status}`)
  const content = mediaOf(response, type)
  if (content === undefined) return undefined
  const pointer = [...at, 'content', content, 'schema'].map((part) => part.replaceAll('/', '~1'))
  const validate = ajv.getSchema(`${document}#/${pointer.map(encodeURIComponent).join('/')}`)
  if (validate === undefined) throw new Error(`No schema at ${pointer.join('/')}`)
  return validate
}

function mediaOf({ content }: OpenApiOperation['responses'][string], type: string): string | undefined {
  if (content === undefined || type === '') return undefined
  const name = type in content ? type : '*/*'
  if (name in content) return name
  throw new Error(`${type} is not described`)
}

/** Validates a value against a component of a document. */
export function fitsComponent(document: 'control' | 'service', component: string, value: unknown): unknown[] {
  const validate = ajv.getSchema(`${document}#/components/schemas/${component}`)
  if (validate === undefined) throw new Error(`There is no ${component}`)
  return validate(value) ? [] : (validate.errors ?? [])
}
