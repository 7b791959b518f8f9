import { expect, it } from 'vitest'
import { persist } from '../../src/ledger/attach.js'
import { describeDialect } from '../dialects/describe-dialect.js'
import { MemoryLedger } from './memory-ledger.js'

const KEY = { authorization: 'Bearer sk_live_local' }

describeDialect('replicate', 'https://api.replicate.com', KEY, (open) => {
  it('stops waiting for a task whose changes a ledger stores when the client leaves its stream', async () => {
    const { sim, post, request } = await open({ patience: '1h', scenario: 'stuck' })
    const ledger = new MemoryLedger()
    const onDeposed = () => {
      throw new Error('Nobody else leads')
    }
    await persist(sim, ledger, ledger.lead(), { defer: setImmediate, onDeposed })
    const { body } = await post('/v1/models/meta/llama-chat/predictions', { input: { prompt: 'Hello' } })
    const left = new AbortController()
    const response = await request(body.urls.stream, { signal: left.signal })
    await expect.poll(() => sim.waitingAnswers).toBe(1)
    left.abort()
    await response.text().catch(() => {})
    await expect.poll(() => sim.waitingAnswers).toBe(0)
  })
})
