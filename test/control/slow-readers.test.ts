import { expect, it, onTestFinished, vi } from 'vitest'
import { followJournal } from '../../src/control/journal/stream.js'
import { listen } from '../../src/hosts/express/index.js'
import { openSocket } from '../http/raw-socket.js'
import { call } from '../support/call.js'
import { deepTest } from '../support/deep.js'
import { simulate } from '../support/simulations.js'

it('an event stream sends a keep-alive comment while nothing happens', async () => {
  const sim = simulate()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { pieces } = followJournal(sim.journal, 0, () => ({}))
    await pieces.next()
    const quiet = pieces.next()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(new TextDecoder().decode((await quiet).value)).toBe(': still here\n\n')
    await pieces.return?.()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

deepTest('disconnects a reader that falls behind, and buffers nothing for it', async () => {
  const warnings: unknown[] = []
  const warned = (warning: unknown) => void warnings.push(warning)
  process.on('warning', warned)
  const sim = simulate()
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(close)
  const { origin } = new URL(baseUrl)
  const socket = await openSocket(origin)
  socket.pause()
  socket.write('GET /_sim/stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await expect.poll(() => sim.journal.followers).toBe(1)
  // Large enough that the journal soon evicts the first entries.
  const prompt = 'x'.repeat(15_000)
  const createTask = () => call(sim, 'k', 'POST ', { model: 'm', input: { prompt } })
  for (let round = 0; round < 60 && sim.journal.followers > 0; round++) {
    await Promise.all(Array.from({ length: 50 }, createTask))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(sim.journal.followers).toBe(0)
  socket.resume()
  expect(['RST', 'FIN']).toContain((await socket.end()).ended)
  process.off('warning', warned)
  expect(warnings).toEqual([])
})
