import { type Check, expectEqual } from '../../support/check.js'
import { create, poll, pollSucceeded } from './client.js'
import { BASE_URL, mockApi, unmatched } from './mocked-api.js'

export const apiChecks: readonly Check[] = [
  {
    title: 'an image task succeeds when the manual clock is advanced, and not before',
    async run() {
      const sim = mockApi()
      const { id } = await create('acme/image-1', { prompt: 'a lighthouse', n: 2 })
      await sim.clock.advance('1999ms')
      expectEqual('the status', (await poll(id)).status, 'processing')
      await sim.clock.advance('1ms')
      const { output, cost_usd } = await pollSucceeded(id)
      expectEqual('the number of images', output?.images?.length, 2)
      expectEqual('the cost', cost_usd, 0.08)
    },
  },
  {
    title: 'an LLM task answers with made-up prose and counts its tokens',
    async run() {
      const sim = mockApi()
      const { id } = await create('acme/composer-2.5', {
        messages: [{ role: 'user', content: 'Say hello.' }],
      })
      await sim.clock.advance('1m')
      const { output } = await pollSucceeded(id)
      expectEqual('the role', output?.message?.role, 'assistant')
      expectEqual('the presence of words', /\w+ \w+/.test(output?.message?.content ?? ''), true)
      expectEqual('the input tokens', output?.usage?.input_tokens, 3)
    },
  },
  {
    title: 'a task succeeds by itself when the clock runs, on the timers of the browser',
    async run() {
      const sim = mockApi({ clock: 'real', speed: 100 })
      const finished = new Promise((resolve) => sim.on('task.finished', resolve))
      const { id } = await create('acme/image-1', { prompt: 'a lighthouse' })
      await finished
      await pollSucceeded(id)
      sim.close()
    },
  },
  {
    title: 'requests outside the API are not matched',
    async run() {
      mockApi()
      const own = new URL('/own', location.href).href
      expectEqual('the answer of the own server', await (await fetch(own)).text(), 'own')
      const unknown = new URL('/elsewhere', BASE_URL).href
      const answer = await fetch(unknown).catch(() => 'none')
      expectEqual('the answer of no server', answer, 'none')
      expectEqual('what was not matched', unmatched, [own, unknown])
    },
  },
]

declare const location: { readonly href: string }
