import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { parseDialect } from '../../src/index.js'
import { dialectDocument } from '../../src/openapi/dialect/document.js'

const ACME = `
name: acme
title: Acme
key: { header: X-Key }
ids: { characters: hex }
statuses: { queued: waiting, processing: running, succeeded: done, failed: error, canceled: stopped }
task: { id: "{{id}}", state: "{{status}}" }
error: { body: { reason: "{{message}}" } }
operations:
  POST /jobs:
    action: create
    kind: image
    require: [prompt]
    keep: { caller: "{{header.x-caller or header.x-key or header.accept}}" }
  GET /jobs/{task_id}: retrieve
webhook:
  url: "{{body.notify.url or query.hook or header.x-notify}}"
  urls: "{{body.notify.others or body.receivers.0.urls}}"
  filter: { from: "{{body.notify.events}}", default: [job.done] }
  events: { succeeded: job.done, failed: job.failed }
  signature: { header: X-Acme-Signature, over: "{{time}}.{{body}}", headers: { X-Acme-Time: "{{time}}" } }
  secret: acme_local_secret
`

it('the document of a dialect file describes where a request orders webhooks, and their headers', async () => {
  const document = dialectDocument(parseDialect(ACME), 'http://127.0.0.1:4010')
  expect((await new Validator().validate(structuredClone(document) as never)).errors).toBeUndefined()
  const { requestBody, parameters } = document.paths['/jobs']?.['post'] ?? expect.unreachable()
  const { schema } = requestBody?.content['application/json'] ?? expect.unreachable()
  const uris = { type: ['array', 'null'], items: { type: 'string', format: 'uri' } }
  expect(schema).toMatchObject({
    properties: {
      prompt: {},
      notify: {
        type: ['object', 'null'],
        properties: {
          url: { type: ['string', 'null'], format: 'uri' },
          others: uris,
          events: { type: ['array', 'null'], items: { type: 'string' } },
        },
      },
      receivers: { type: ['array', 'null'], items: { properties: { urls: uris } } },
    },
  })
  expect(parameters?.map(({ in: place, name }) => `${place} ${name}`)).toEqual([
    'query hook',
    'header x-caller',
    'header x-notify',
  ])
  expect(Object.keys(document.webhooks ?? {})).toEqual(['job.done', 'job.failed'])
  const { parameters: headers = [] } = document.webhooks?.['job.done']?.['post'] ?? expect.unreachable()
  expect(headers.map(({ name }) => name)).toEqual(['X-Acme-Signature', 'X-Acme-Time'])
})
