import { createOpenAI } from '@ai-sdk/openai'
import { generateText } from 'ai'
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
})
