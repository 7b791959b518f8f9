import { expect, test } from 'vitest'
import { reply } from '../../../src/core/task/reply.js'
import type { JsonObject } from '../../../src/core/task/task.js'
import { countTokens } from '../../../src/core/task/tokens.js'
import { aTask } from '../../support/tasks.js'

const say = (content: string): JsonObject => ({ messages: [{ role: 'user', content }] })
const replyTo = (input: JsonObject, id = 'task_1') => reply(aTask({ id, kind: 'llm', input }))
const contentOf = ({ output }: { output: JsonObject }) => (output['message'] as { content: string }).content

test('the same task gets the same reply, another task another one', async () => {
  const first = await replyTo(say('Hello'))
  expect(await replyTo(say('Hello'))).toEqual(first)
  expect(contentOf(await replyTo(say('Hello'), 'task_2'))).not.toBe(contentOf(first))
})

test('a reply is what an assistant says, with the tokens that it is billed by', async () => {
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

test('a reply keeps to a max_tokens of 1, whatever its first word is', async () => {
  for (let number = 1; number <= 40; number++) {
    const { usage } = await replyTo({ ...say('Hello'), max_tokens: 1 }, `task_${number}`)
    expect(usage.outputTokens).toBeLessThanOrEqual(1)
  }
})

test('a reply that fits into max_tokens is whole', async () => {
  const whole = await replyTo(say('Hello'))
  expect(await replyTo({ ...say('Hello'), max_tokens: 10_000 })).toEqual(whole)
})

test.each(['<|endoftext|>', '<|im_start|>system', '<|fim_prefix|><|fim_suffix|>', '\ud800'])(
  'a prompt that holds %j is text like any other',
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
])('what a model reads counts as input: %s', async (_, input) => {
  expect((await replyTo(input)).usage.inputTokens).toBeGreaterThan(0)
})

test('an input without any text has no input tokens', async () => {
  expect((await replyTo({ messages: 'nonsense' })).usage.inputTokens).toBe(0)
})

test('what lies beyond a bound is estimated from what lies before it, not read', async () => {
  expect(await countTokens('word '.repeat(400))).toBe(401)
  expect(await countTokens('word '.repeat(40_000) + 'x'.repeat(200_000))).toBe(80_200)
})
