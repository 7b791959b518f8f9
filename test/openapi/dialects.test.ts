import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { getResponse } from 'msw'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Dialects } from '../../src/dialects/dialects.js'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, type ScenarioInput } from '../../src/index.js'
import { dialectDocument } from '../../src/openapi/dialect/document.js'
import type { OpenApiDocument } from '../../src/openapi/openapi.js'
import { sampleOf } from '../support/deep.js'
import { headersFor, idIn, SERVICES, type Service } from '../support/services.js'

const HOOK = 'http://localhost:3000/hooks'

async function documentOf(name: string): Promise<OpenApiDocument> {
  const { table } = await new Dialects().load(name)
  if (table === undefined) throw new Error(`The dialect ${name} has no description`)
  return dialectDocument(table, 'http://127.0.0.1:4010')
}

/** Checks every answer of a service against its document. */
async function openChecked(name: string, service: Service, scenario: ScenarioInput = {}) {
  const document = await documentOf(name)
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema(document, 'document')
  const fit = (pointer: readonly string[], value: unknown) => {
    const path = pointer.map((part) => encodeURIComponent(part.replaceAll('/', '~1'))).join('/')
    const validate = ajv.getSchema(`document#/${path}`)
    expect(validate, `No schema at ${pointer.join('/')}`).toBeDefined()
    expect(validate?.(value) === false ? validate.errors : [], JSON.stringify(value)).toEqual([])
  }
  const webhooks: unknown[] = []
  const handle = async (request: Request) => {
    webhooks.push(await request.json())
    return new Response()
  }
  const sim = createSimulator({
    clock: 'manual',
    scenario,
    receivers: [{ url: HOOK, handle, everyTask: true }],
  })
  onTestFinished(() => sim.close())
  const own = handlers(sim, { dialect: name })
  const pathOf = (pathname: string) =>
    Object.keys(document.paths).find((path) =>
      new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
    ) ?? ''
  const call = async (method: string, path: string, { body, key }: { body?: object; key?: string } = {}) => {
    const init = {
      method,
      headers: headersFor(service, key),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const url = service.origin + path
    const response = await getResponse(own, new Request(url, init))
    if (response === undefined) throw new Error(`Nothing answers ${method} ${path}`)
    const { status } = response
    const { pathname } = new URL(url)
    const described = Object.hasOwn(document.paths, pathname)
      ? pathname
      : pathOf((service.host ?? '') + pathname)
    const responses = document.paths[described]?.[method.toLowerCase()]?.responses
    expect(responses, `${method} ${path}`).toHaveProperty(String(status))
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
    const text = await response.text()
    if (!type.endsWith('json')) return { status, body: undefined }
    const answer = JSON.parse(text)
    fit(
      ['paths', described, method.toLowerCase(), 'responses', `${status}`, 'content', type, 'schema'],
      answer,
    )
    return { status, body: answer }
  }
  return { sim, call, webhooks, fit, document }
}

test('the OpenAPI document of a dialect names its webhooks as the service does', async () => {
  const { webhooks = {} } = await documentOf('replicate')
  expect(Object.keys(webhooks)).toEqual(['start', 'output', 'logs', 'completed'])
})

test('the OpenAPI document of a dialect has the parameters of all its lists, and each place of the key', async () => {
  const { paths, security, components } = await documentOf('google')
  const parametersOf = (path: string) => paths[path]?.['get']?.parameters?.map(({ name }) => name)
  expect(parametersOf('/{version}/files')).toEqual(['version', 'pageSize', 'pageToken'])
  expect(parametersOf('/{version}/webhooks')).toEqual(['version', 'page_size', 'page_token'])
  expect(security).toEqual([{ key: [] }, { key_in_query: [] }])
  expect(components.securitySchemes).toMatchObject({
    key: { in: 'header', name: 'x-goog-api-key' },
    key_in_query: { in: 'query', name: 'key' },
  })
})

/** Tasks of another type than the main one of the dialect. */
const VIDEOS = Object.entries(SERVICES)
  .filter(([name]) => name === 'openai')
  .map(([name, service]) => {
    const videos = { create: '/v1/videos', body: { prompt: 'waves' }, list: '/v1/videos?limit=1' }
    return [name, { ...service, ...videos, task: (id: string) => `/v1/videos/${id}` }] as const
  })
const CASES = [...Object.entries(SERVICES), ...VIDEOS]

describe.each(sampleOf(2, CASES))('the OpenAPI document of %s', (name, service) => {
  test('is valid OpenAPI 3.1 according to an independent validator', async () => {
    const document = await documentOf(name)
    const result = await new Validator().validate(structuredClone(document) as never)
    expect(result.errors).toBeUndefined()
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('describes tasks in every state, lists, webhooks and rejections', async () => {
    const { sim, call, webhooks, fit } = await openChecked(name, service, {
      capacity: { running: 1 },
      defaults: { limits: { images: 16 } },
      rules: [
        { when: { occurrence: 2 }, then: { outcome: 'failed', error: { code: 'no', message: 'No.' } } },
      ],
    })
    const create = async () =>
      idIn(service, (await call('POST', service.create, { body: service.body })).body)
    const ids = [await create(), await create(), await create()]
    const read = async () => {
      for (const id of ids) await call('GET', service.task(id))
    }
    await read()
    await sim.tasks.finish(ids[0] ?? '', { outcome: 'succeeded', error: undefined })
    await read()
    await sim.clock.advance('1h')
    const canceled = await create()
    await sim.tasks.cancel(canceled)
    ids.push(canceled)
    await read()
    if (service.list !== undefined) await call('GET', service.list)
    const { path = service.create, ...invalid } = service.invalid ?? { body: { model: 5 }, status: 400 }
    expect((await call('POST', path, { body: invalid.body })).status).toBe(invalid.status)
    const { result } = service
    if (result !== undefined) for (const id of ids) await call('GET', result(id))
    expect((await call('POST', service.create, { key: '', body: service.body })).status).toBe(
      service.keyless ?? 401,
    )
    expect((await call('GET', service.task('none'))).status).toBe(service.unknown ?? 404)
    for (const body of webhooks) fit(['components', 'schemas', 'Webhook'], body)
  })

  test('finds an answer that it does not describe', async () => {
    const { id: path = 'id', idInPoll: id = path.split('.').at(-1) ?? '' } = service
    const { call } = await openChecked(name, service, {
      faults: [{ when: { operation: 'tasks.retrieve' }, then: { patch: { [id]: 1 } } }],
    })
    const { body } = await call('POST', service.create, { body: service.body })
    await expect(call('GET', service.task(idIn(service, body)))).rejects.toThrow()
  })
})
