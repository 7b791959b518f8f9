import { expect, it } from 'vitest'
import { controlDocument } from '../../src/openapi/control-document.js'
import type { OpenApiOperation } from '../../src/openapi/openapi.js'
import { type Client, describeHosts, IMAGE } from '../http/hosts.js'
import { ajvWith } from '../support/ajv.js'
import { sampleOf } from '../support/deep.js'

/*
 * The tests cover every operation in the control API document. A request that the document does not allow must be
 * rejected: to the caller, an ignored field or a changed value looks like success.
 */

interface Described {
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

const { paths, components } = controlDocument('http://127.0.0.1')
const OPERATIONS: readonly Described[] = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
)
const CHANGES = OPERATIONS.filter(
  ({ method, operation }) =>
    ['POST', 'PUT', 'PATCH'].includes(method) &&
    operation.requestBody?.content['application/jsonl'] === undefined,
)
const SEARCHES = OPERATIONS.filter(({ operation }) =>
  operation.parameters?.some(({ in: place }) => place === 'query'),
)

const ajv = ajvWith({ validateFormats: false })
ajv.addSchema({ $id: 'doc', components })

/** Values of every type, at and beyond the bounds that the document sets. */
const CANDIDATES: readonly unknown[] = [
  ...[null, true, false, -1, 0, 1.5, 2_001, 1e7, 1e300, Number.MAX_SAFE_INTEGER + 1],
  ...['', 'soon', '-1s', '1 h', 'x'.repeat(201), [], [''], {}, { code: '' }, { nonsense: 1 }],
]

type Schema = Readonly<Record<string, unknown>>

describeHosts('a request to the control API', (open) => {
  it.each(CHANGES)(
    'is rejected if the document does not list its field: $method $path',
    async (described) => {
      const { client, url } = await stage(described)
      const examples = examplesOf(described)
      for (const example of examples.length > 0 ? examples : [{}]) {
        const { status, error } = await send(client, described.method, url, { ...example, nonsense: 1 })
        expect([status, error.param ?? error.mistakes?.[0].path]).toEqual([400, 'nonsense'])
        expect(error.message).toContain('nonsense')
      }
      expect(await client.sim.tasks.list({ limit: 10 })).toMatchObject({ tasks: [{ status: 'processing' }] })
    },
  )

  it.each(CHANGES.filter((described) => examplesOf(described).length > 0))(
    'is rejected if the document does not allow its value: $method $path',
    async (described) => {
      const { client, url } = await stage(described)
      for (const [field, schemas] of fieldsOf(described)) {
        const checks = schemas.map((schema) => ajv.compile(absolute(schema)))
        const bad = CANDIDATES.filter((candidate) => checks.every((check) => !check(candidate)))
        for (const value of sampleOf(2, bad)) {
          const example = examplesOf(described).find((one) => Object.hasOwn(one, field)) ?? {}
          const { status } = await send(client, described.method, url, { ...example, [field]: value })
          expect(status, `${field}: ${JSON.stringify(value)}`).toBe(400)
        }
      }
    },
  )

  it.each(SEARCHES)(
    'is rejected if the document does not list its query parameter: $path',
    async (described) => {
      const { client, url } = await stage(described)
      const { status, error } = await send(client, described.method, `${url}?token=x&nonsense=1`)
      expect([status, error.param]).toEqual([400, 'nonsense'])
      expect(error.message).toContain('nonsense')
    },
  )

  async function stage({ path }: Described): Promise<{ client: Client; url: string }> {
    const client = await open({ receivers: [() => new Response()] })
    const { id } = (await client.post('/api/v1/tasks', IMAGE)).body
    const { data } = (await client.post('/_sim/webhooks/trigger', {})).body
    return { client, url: path.replace('{id}', path.includes('deliveries') ? data[0].id : id) }
  }
})

async function send(client: Client, method: string, url: string, body?: object) {
  const headers = body && { 'content-type': 'application/json' }
  const response = await client.send(url, { method, ...(headers && { headers, body: JSON.stringify(body) }) })
  const text = await response.text()
  return { status: response.status, error: text === '' ? {} : JSON.parse(text).error }
}

function contentOf({ operation }: Described) {
  return operation.requestBody?.content['application/json']
}

function examplesOf(described: Described): object[] {
  return Object.values(contentOf(described)?.examples ?? {}).map(({ value }) => value as object)
}

/** Returns the fields of a body, each with all forms that the document allows. */
function fieldsOf(described: Described): Map<string, Schema[]> {
  const fields = new Map<string, Schema[]>()
  const schema = resolved(contentOf(described)?.schema as Schema)
  for (const form of (schema['anyOf'] as Schema[] | undefined) ?? [schema])
    for (const [name, field] of Object.entries((form['properties'] ?? {}) as Record<string, Schema>))
      fields.set(name, [...(fields.get(name) ?? []), field])
  return fields
}

function resolved(schema: Schema): Schema {
  const name = String(schema['$ref'] ?? '')
    .split('/')
    .at(-1)
  return name ? (components.schemas[name] as Schema) : schema
}

function absolute(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"doc#/components'))
}
