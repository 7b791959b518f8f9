import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createForms } from '../../src/dialects/requests/create-form.js'
import {
  createDraft,
  createRequest,
  emptyDraft,
  writeBack,
} from '../../src/dialects/requests/create-request.js'
import type { JsonValue } from '../../src/engine/json.js'
import { createSimulator } from '../../src/index.js'
import { sampleOf } from '../support/deep.js'
import { created, orderOf } from './created.js'
import { OWN_DIALECTS } from './matrix/any-client.js'

const SERVER = { origin: 'http://127.0.0.1:4010', key: 'sk_live_local' }

it.each([
  ['{{body.input}}', { a: 1 }, { body: { input: { a: 1 } } }],
  ['{{body | without model}}', { a: 1 }, { body: { a: 1 } }],
  ['{{body.version or body.model}}', 'm', { body: { version: 'm' } }],
  ['{{body.models.0 or body.model or "best"}}', 'm', { body: { model: 'm' } }],
  [{ a: '{{body.list.0.a}}', b: '{{body.list.0.b}}' }, { a: 1, b: 2 }, { body: { list: [{ a: 1, b: 2 }] } }],
  ['{{body.model or "best"}}', 'best', { body: {} }],
  ['{{path.owner}}/{{path.name}}', 'a/b/c', { path: { owner: 'a', name: 'b/c' } }],
  ['{{query.n}}', 7, { query: { n: '7' } }],
  ['{{header.x-a}}', 'y', { header: { 'x-a': 'y' } }],
  ['{{body.ratio | pixels}}', '1x1', { body: {} }],
  [{ prompt: '{{body.text}}', '...': '{{body}}' }, { prompt: 'p', n: 1 }, { body: { text: 'p', n: 1 } }],
  ['{{body.a.b}}', 1, { body: { a: { b: 1 } } }],
  ['fixed', 'x', { body: {} }],
  [
    '{{body | chat}}',
    {
      messages: [
        { role: 'system', content: 'short' },
        { role: 'user', content: [{ type: 'text', text: 'hi' }] },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: '1' },
      ],
      max_tokens: 5,
      response_format: { type: 'json_object' },
    },
    {
      body: {
        instructions: 'short',
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: '1' },
        ],
        max_output_tokens: 5,
        text: { format: { type: 'json_object' } },
      },
    },
  ],
])('a request from which %j reads %j', (template, value, expected) => {
  const draft = emptyDraft()
  writeBack(template, value as JsonValue, draft)
  expect(draft).toMatchObject(expected)
})

it('keeps a field that is called __proto__ a field', () => {
  const draft = emptyDraft()
  writeBack('{{body}}', JSON.parse('{"__proto__": {"a": 1}}'), draft)
  expect(JSON.stringify(draft.body)).toBe('{"__proto__":{"a":1}}')
})

const fields = fc.dictionary(
  fc.stringMatching(/^[a-z]{6,9}$/),
  fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string())),
  { maxKeys: 4 },
)

const NAMES = createSimulator({ dialects: OWN_DIALECTS }).dialects.names

it.each(sampleOf(4, NAMES))('every task of %s has a request that creates an identical task', async (name) => {
  const sim = createSimulator({ dialects: OWN_DIALECTS, clock: 'manual' })
  const dialect = await sim.dialects.load(name)
  const property = fc.asyncProperty(
    // A request for a task that is made from another one needs that task.
    fc.constantFrom(...createForms(dialect).filter(({ source }) => !source?.includes('{{path.'))),
    fields,
    fc.boolean(),
    async (form, more, hasReceiver) => {
      const webhookUrl = hasReceiver ? 'http://127.0.0.1:9/hooks' : undefined
      const order = { ...orderOf(dialect, form, more), webhookUrl }
      const first = await created(sim, createRequest(dialect, order, SERVER))
      const second = await created(sim, createRequest(dialect, first, SERVER))
      for (const field of ['model', 'kind', 'input', 'extra', 'webhookUrl', 'owner'] as const)
        expect(second[field], field).toEqual(first[field])
      expect(createDraft(form, second)).toEqual(createDraft(form, first))
    },
  )
  await fc.assert(property, { numRuns: 20 })
  sim.close()
})
