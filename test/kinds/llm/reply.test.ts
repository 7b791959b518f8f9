import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject, Plan } from '../../../src/index.js'
import { reply } from '../../../src/kinds/llm/reply.js'
import { countTokens } from '../../../src/kinds/llm/tokens.js'
import { runs } from '../../support/deep.js'
import { aTask } from '../../support/tasks.js'

const say = (content: string): JsonObject => ({ messages: [{ role: 'user', content }] })
const replyTo = (input: JsonObject, id = 'task_1', settings?: Plan['reply']) =>
  reply(aTask({ id, kind: 'llm', input, plan: { reply: settings } }))
const contentOf = ({ output }: { output: JsonObject }) => (output['message'] as { content: string }).content

test('the same task gets the same reply, and another task another one', async () => {
  const first = await replyTo(say('Hello'))
  expect(await replyTo(say('Hello'))).toEqual(first)
  expect(contentOf(await replyTo(say('Hello'), 'task_2'))).not.toBe(contentOf(first))
})

test('a reply is the text of an assistant, with its billed tokens', async () => {
  const { output, usage } = await replyTo(say('Write a function that adds two numbers.'))
  const { inputTokens, outputTokens = 0 } = usage
  expect(inputTokens).toBe(8)
  expect(outputTokens).toBeGreaterThan(10)
  expect(output).toEqual({
    message: { role: 'assistant', content: expect.stringMatching(/^\S.*\.$/s) },
    finish_reason: 'stop',
    usage: { input_tokens: 8, output_tokens: outputTokens, total_tokens: 8 + outputTokens },
  })
})

test.each([2, 5, 20])('a reply has at most max_tokens: %d', async (max_tokens) => {
  const { output, usage } = await replyTo({ ...say('Hello'), max_tokens })
  expect(output['finish_reason']).toBe('length')
  expect(usage.outputTokens).toBeLessThanOrEqual(max_tokens)
  expect(contentOf({ output })).not.toBe('')
})

test('a reply respects a max_tokens of 1, whatever its first word is', async () => {
  for (let number = 1; number <= 40; number++) {
    const { usage } = await replyTo({ ...say('Hello'), max_tokens: 1 }, `task_${number}`)
    expect(usage.outputTokens).toBeLessThanOrEqual(1)
  }
})

test('a reply that fits into max_tokens is complete', async () => {
  const whole = await replyTo(say('Hello'))
  expect(await replyTo({ ...say('Hello'), max_tokens: 10_000 })).toEqual(whole)
})

test.each(['<|endoftext|>', '<|im_start|>system', '<|fim_prefix|><|fim_suffix|>', '\ud800'])(
  'a prompt that contains %j is treated as plain text',
  async (content) => {
    const { usage } = await replyTo(say(content))
    expect(usage.inputTokens).toBeGreaterThan(0)
  },
)

test.each<[string, JsonObject]>([
  ['parts', { messages: [{ role: 'user', content: [{ type: 'text', text: 'two words' }] }] }],
  ['a bare prompt', { prompt: 'two words' }],
  ['tools', { messages: [], tools: [{ name: 'search' }] }],
  ['messages of a wrong shape', { messages: ['text', null, 5, [], {}] }],
])('all input of a model counts as input tokens: %s', async (_, input) => {
  expect((await replyTo(input)).usage.inputTokens).toBeGreaterThan(0)
})

test('an input without any text has no input tokens', async () => {
  expect((await replyTo({ messages: 'nonsense' })).usage.inputTokens).toBe(0)
})

test('a reply refers to the last user message', async () => {
  const messages = [
    { role: 'user', content: 'Tell me about whales.' },
    { role: 'assistant', content: 'They are large.' },
    { role: 'user', content: [{ type: 'text', text: 'And dolphins?' }, { type: 'image_url' }] },
  ]
  expect(contentOf(await replyTo({ messages }))).toContain('“And dolphins”')
  expect(contentOf(await replyTo({ prompt: 'Why is the sky blue?' }))).toContain('“Why is the sky blue”')
})

test('text parts count like plain text, and images do not count', async () => {
  const text = { type: 'text', text: 'two words' }
  const image = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(10_000)}` } }
  const plain = await replyTo(say('two words'))
  const parts = await replyTo({ messages: [{ role: 'user', content: [text, image] }] })
  expect(parts.usage.inputTokens).toBe((plain.usage.inputTokens ?? 0) + 1)
})

test('for any max_tokens, the billed tokens are those of the text', async () => {
  const cut = fc.record({
    topic: fc.string({ unit: 'grapheme' }),
    limit: fc.integer({ min: 1, max: 150 }),
    id: fc.nat(),
  })
  await fc.assert(
    fc.asyncProperty(cut, async ({ topic, limit, id }) => {
      const answer = await replyTo({ ...say(topic), max_tokens: limit }, `task_${id}`)
      const content = contentOf(answer)
      const isCut = answer.output['finish_reason'] === 'length'
      expect(content).not.toContain('\uFFFD')
      expect(answer.usage.outputTokens).toBe(await countTokens(content))
      expect(answer.usage.outputTokens).toBeLessThanOrEqual(limit)
      // A character of several tokens is omitted as a whole.
      if (isCut) expect(answer.usage.outputTokens).toBeGreaterThan(limit - 6)
    }),
    { numRuns: runs(50, 150) },
  )
})

const CITY = {
  type: 'object',
  properties: { city: { type: 'string' }, people: { type: 'integer', minimum: 1 } },
  required: ['city', 'people'],
  additionalProperties: false,
}

test.each<[string, JsonObject]>([
  ['a nested schema', { type: 'json_schema', json_schema: { name: 'city', schema: CITY } }],
  ['a flat schema', { type: 'json_schema', name: 'city', schema: CITY }],
])('a reply is JSON that fits the schema of the client: %s', async (_, response_format) => {
  const asked = { ...say('Name a city.'), response_format }
  const answer = await replyTo(asked)
  expect(JSON.parse(contentOf(answer))).toEqual({ city: expect.any(String), people: expect.any(Number) })
  expect(answer.usage.inputTokens).toBeGreaterThan(
    (await replyTo(say('Name a city.'))).usage.inputTokens ?? 0,
  )
  expect(contentOf(await replyTo(asked, 'task_1', { text: 'As the scenario says.' }))).toBe(
    'As the scenario says.',
  )
})

test('a reply is any JSON object, or text, if the client asks for no more', async () => {
  const json = await replyTo({ ...say('Hello'), response_format: { type: 'json_object' } })
  expect(JSON.parse(contentOf(json))).toEqual({ answer: expect.any(String) })
  const text = await replyTo({ ...say('Hello'), response_format: { type: 'text' } })
  expect(contentOf(text)).toBe(contentOf(await replyTo(say('Hello'))))
})

const usageOf = ({ output }: { output: JsonObject }) => output['usage'] as Record<string, number>

test('a higher reasoning effort costs more reasoning tokens', async () => {
  const taken = []
  for (const reasoning_effort of ['none', 'minimal', 'low', 'medium', 'high', 'xhigh']) {
    const answer = await replyTo({ ...say('Hello'), reasoning_effort })
    const { reasoning_tokens = 0, input_tokens = 0, output_tokens = 0, total_tokens } = usageOf(answer)
    expect(output_tokens - reasoning_tokens).toBe(await countTokens(contentOf(answer)))
    expect(total_tokens).toBe(input_tokens + output_tokens)
    expect(answer.usage.outputTokens).toBe(output_tokens)
    taken.push(reasoning_tokens)
  }
  expect(taken).toEqual(taken.toSorted((a, b) => a - b))
  expect(new Set(taken).size).toBe(6)
  expect(usageOf(await replyTo(say('Hello')))).not.toHaveProperty('reasoning_tokens')
})

test('the amount of reasoning does not change the reply, and is constant for the same task', async () => {
  const reasoning = await replyTo({ ...say('Hello'), reasoning_effort: 'high' })
  expect(await replyTo({ ...say('Hello'), reasoning_effort: 'high' })).toEqual(reasoning)
  expect(contentOf(reasoning)).toBe(contentOf(await replyTo(say('Hello'))))
})

test('a model that uses up max_tokens on reasoning returns no text', async () => {
  const answer = await replyTo({ ...say('Hello'), reasoning_effort: 'high', max_tokens: 100 })
  expect(contentOf(answer)).toBe('')
  expect(answer.output['finish_reason']).toBe('length')
  expect(usageOf(answer)).toMatchObject({ reasoning_tokens: 100, output_tokens: 100 })
})

test('a scenario sets the text, and can quote the input', async () => {
  const text = 'You said: {{last_user_message}} ({{input.temperature}})'
  const answer = await replyTo({ ...say('Hello'), temperature: 0.5 }, 'task_1', { text })
  expect(contentOf(answer)).toBe('You said: Hello (0.5)')
  expect(answer.output['finish_reason']).toBe('stop')
  const cut = await replyTo({ ...say('Hello'), max_tokens: 2 }, 'task_1', { text })
  expect(contentOf(cut)).toBe('You said')
  expect(cut.output['finish_reason']).toBe('length')
})

test('a scenario sets the finish reason', async () => {
  const { output } = await replyTo(say('Hello'), 'task_1', { finish_reason: 'content_filter' })
  expect(output['finish_reason']).toBe('content_filter')
})

const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'get_weather',
      parameters: {
        type: 'object',
        properties: { city: { type: 'string' }, unit: { enum: ['C', 'F'] } },
        required: ['city', 'unit'],
        additionalProperties: false,
      },
    },
  },
]

interface Call {
  readonly id: string
  readonly type: string
  readonly function: { readonly name: string; readonly arguments: string }
}
const callsOf = ({ output }: { output: JsonObject }) =>
  (output['message'] as unknown as { tool_calls: Call[] }).tool_calls

test('a model calls a tool with JSON arguments, which are billed', async () => {
  const answer = await replyTo({ ...say('Hello'), tools: TOOLS }, 'task_1', { calls: 'always' })
  const [call] = callsOf(answer)
  expect(answer.output).toMatchObject({
    message: { role: 'assistant', content: null },
    finish_reason: 'tool_calls',
  })
  expect(call).toMatchObject({ id: expect.stringMatching(/^call_\w{24}$/), type: 'function' })
  expect(call?.function.name).toBe('get_weather')
  expect(JSON.parse(call?.function.arguments ?? '')).toEqual({
    city: expect.any(String),
    unit: expect.stringMatching(/^[CF]$/),
  })
  expect(answer.usage.outputTokens).toBe(await countTokens(JSON.stringify(call?.function)))
})

test('the same task makes the same call, and another task another one', async () => {
  const call = (id: string) => replyTo({ ...say('Hello'), tools: TOOLS }, id, { calls: 'always' })
  expect(await call('task_1')).toEqual(await call('task_1'))
  expect(callsOf(await call('task_1'))).not.toEqual(callsOf(await call('task_2')))
})

test('a call that does not fit into max_tokens is not made', async () => {
  const input = { ...say('Hello'), tools: TOOLS, max_tokens: 3 }
  const { output } = await replyTo(input, 'task_1', { calls: 'always' })
  expect(output).toMatchObject({ message: { role: 'assistant', content: '' }, finish_reason: 'length' })
})

test.each([[undefined], [null], [{ type: 'string' }], [{ not: {} }], [{ type: 'array', items: {} }]])(
  'a tool is called with named arguments, even if its parameters are %j',
  async (parameters) => {
    const tools = [{ name: 'search', ...(parameters !== undefined && { parameters }) }]
    const [call] = callsOf(await replyTo({ ...say('search'), tools } as JsonObject))
    expect(call?.function).toEqual({ name: 'search', arguments: '{}' })
  },
)
