import { expect, test } from 'vitest'
import { Chance } from '../../../src/engine/random.js'
import type { JsonObject, JsonValue } from '../../../src/index.js'
import { chooseTool } from '../../../src/kinds/llm/reply.js'

const weather = { type: 'function', function: { name: 'get_weather', parameters: {} } }
const search = { name: 'search', input_schema: {} }
const ask = (content: JsonValue, more: JsonObject = {}): JsonObject => ({
  messages: [{ role: 'user', content }],
  tools: [weather, search],
  ...more,
})

type Calls = Parameters<typeof chooseTool>[1]
const chosen = (input: JsonObject, calls: Calls = 'auto', seed = 'seed') =>
  chooseTool(input, calls, Chance.of(seed).stream('tool'))?.name

test('by default, the model calls a tool that the last user message names', () => {
  expect(chosen(ask('Use get_weather for Paris'))).toBe('get_weather')
  expect(chosen(ask([{ type: 'text', text: 'Please search.' }]))).toBe('search')
  expect(chosen(ask('What is the weather?'))).toBeUndefined()
  expect(chosen({ prompt: 'search it', tools: [search] })).toBe('search')
})

test('the model does not call a tool that only an earlier message names', () => {
  const messages = [
    { role: 'user', content: 'search' },
    { role: 'assistant', content: 'search' },
    { role: 'user', content: 'Thanks' },
  ]
  expect(chosen({ messages, tools: [search] })).toBeUndefined()
})

test('with calls set to always, the model draws one of the tools, unless the message names one', () => {
  const drawn = new Set(Array.from({ length: 20 }, (_, seed) => chosen(ask('Hello'), 'always', String(seed))))
  expect(drawn).toEqual(new Set(['get_weather', 'search']))
  for (let seed = 0; seed < 10; seed++) expect(chosen(ask('search'), 'always', String(seed))).toBe('search')
})

test('with calls set to never, or with an unknown tool, the model answers with text', () => {
  expect(chosen(ask('search'), 'never')).toBeUndefined()
  expect(chosen(ask('search'), { tool: 'buy' })).toBeUndefined()
})

test('with a tool named in the scenario, the model calls it, whatever the message says', () => {
  expect(chosen(ask('search'), { tool: 'get_weather' })).toBe('get_weather')
})

test('the tool choice of the client overrides the scenario', () => {
  const named = { type: 'function', function: { name: 'get_weather' } }
  expect(chosen(ask('search', { tool_choice: 'none' }), 'always')).toBeUndefined()
  expect(chosen(ask('search', { tool_choice: 'required' }), 'never')).toBe('search')
  expect(chosen(ask('Hello', { tool_choice: 'required' }), { tool: 'get_weather' })).toBe('get_weather')
  expect(chosen(ask('search', { tool_choice: named }), 'never')).toBe('get_weather')
  expect(chosen(ask('search', { tool_choice: { type: 'tool', name: 'get_weather' } }))).toBe('get_weather')
  expect(chosen(ask('Hello', { tool_choice: 'auto' }), { tool: 'search' })).toBe('search')
})

test.each<[string, JsonObject]>([
  ['a tool message', { role: 'tool', tool_call_id: 'call_1', content: 'rain' }],
  ['a function message', { role: 'function', name: 'search', content: 'rain' }],
  ['a result in parts', { role: 'user', content: [{ type: 'tool_result', content: 'rain' }] }],
])('after %s the model answers with text, so that a loop of calls ends', (_, message) => {
  const messages = [{ role: 'user', content: 'search' }, message]
  expect(chosen({ messages, tools: [search] }, 'always')).toBeUndefined()
})

test('without tools the model calls nothing', () => {
  expect(chosen({ messages: [{ role: 'user', content: 'search' }] }, 'always')).toBeUndefined()
  expect(chosen({ messages: [], tools: 'search' }, 'always')).toBeUndefined()
  expect(chosen({ messages: [], tools: [null, 5, {}, { name: 7 }, []] }, 'always')).toBeUndefined()
})
