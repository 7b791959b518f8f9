import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, Output, streamText, tool } from 'ai'
import { expect, it, onTestFinished, vi } from 'vitest'
import { advanceUntilDone } from '../../support/advance-until-done.js'
import { describeClient, type Open } from '../describe-client.js'

const OPENAI = {
  name: 'openai',
  client: '@ai-sdk/openai',
  baseUrl: 'https://api.openai.com/v1',
  path: '/openai/v1',
}

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  vi.stubEnv('OPENAI_BASE_URL', baseUrl)
  onTestFinished(() => void vi.unstubAllEnvs())
  return { ...service, openai: createOpenAI({ apiKey: 'any-key' }) }
}

describeClient(OPENAI, (open) => {
  it('generates a text', async () => {
    const { sim, openai } = await start(open, { defaults: { reply: { text: 'The sea is wide.' } } })
    const { text, usage, finishReason } = await advanceUntilDone(
      sim,
      generateText({ model: openai('gpt-5.1'), prompt: 'Write about the sea.' }),
    )
    expect([text, finishReason]).toEqual(['The sea is wide.', 'stop'])
    expect(usage.outputTokens).toBeGreaterThan(0)
  })

  it('generates an object that fits a schema', async () => {
    const { sim, openai } = await start(open)
    const schema = jsonSchema<{ days: number }>({
      type: 'object',
      properties: { days: { type: 'integer', minimum: 1, maximum: 7 } },
      required: ['days'],
      additionalProperties: false,
    })
    const output = Output.object({ schema })
    const order = { model: openai('gpt-5.1'), prompt: 'How long does a trip last?', output }
    const trip = (await advanceUntilDone(sim, generateText(order))).output
    expect(trip.days).toBeGreaterThanOrEqual(1)
    expect(trip.days).toBeLessThanOrEqual(7)
  })

  it('streams a text while it is written', async () => {
    const { sim, openai } = await start(open, { defaults: { reply: { text: 'The sea is wide.' } } })
    const pieces: string[] = []
    const read = async () => {
      const result = streamText({ model: openai('gpt-5.1'), prompt: 'Write about the sea.' })
      for await (const piece of result.textStream) pieces.push(piece)
      return { finishReason: await result.finishReason, usage: await result.usage }
    }
    const { finishReason, usage } = await advanceUntilDone(sim, read())
    expect([pieces, finishReason]).toEqual([['The', ' sea', ' is', ' wide.'], 'stop'])
    expect(usage.outputTokens).toBeGreaterThan(0)
  })

  it('streams the call of a tool', async () => {
    const { sim, openai } = await start(open)
    const inputSchema = jsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    })
    const tools = { weather: tool({ inputSchema, execute: async () => 'Rain.' }) }
    const read = async () => {
      const model = openai('gpt-5.1')
      const result = streamText({ model, tools, toolChoice: 'required', prompt: 'Will it rain?' })
      await result.consumeStream()
      return result.toolCalls
    }
    expect(await advanceUntilDone(sim, read())).toMatchObject([
      { toolName: 'weather', input: { city: expect.any(String) } },
    ])
  })

  it('reports the failure of a stream', async () => {
    const { sim, openai } = await start(open, { rules: [{ then: { outcome: 'failed' } }] })
    const parts: string[] = []
    const read = async () => {
      const result = streamText({ model: openai('gpt-5.1'), prompt: 'Hello', onError: () => {} })
      for await (const { type, ...part } of result.fullStream)
        parts.push('finishReason' in part ? `${type} ${part.finishReason}` : type)
    }
    await advanceUntilDone(sim, read())
    expect(parts.join()).toMatch(/error/)
  })
})
