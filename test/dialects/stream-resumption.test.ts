import fc from 'fast-check'
import { getResponse } from 'msw'
import { expect, test } from 'vitest'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator, type ScenarioInput } from '../../src/index.js'
import { advanceUntilDone } from '../support/advance-until-done.js'
import { runs } from '../support/deep.js'
import '../support/fast-check.js'

const ORDER = { model: 'o3', input: 'Write about the sea.', stream: true, background: true }
const TOOL = { type: 'function', name: 'look', parameters: { type: 'object', required: ['at'] } }

const scenario = fc.record({
  text: fc.constantFrom('', 'sea', 'The sea is wide.', `${'wave '.repeat(30)}\n\n\u{1F30A}`),
  outcome: fc.constantFrom('succeeded', 'failed', 'canceled'),
  delay: fc.oneof(
    fc.integer({ min: 1, max: 20_000 }).map((milliseconds) => `${milliseconds}ms`),
    fc.record({ polls: fc.integer({ min: 1, max: 4 }) }),
  ),
  finish_reason: fc.constantFrom(undefined, 'length', 'content_filter'),
  isBehind: fc.boolean(),
  isCanceled: fc.boolean(),
})
const request = fc.record({
  reasoning: fc.constantFrom(undefined, { effort: 'low' }),
  tools: fc.constantFrom(undefined, [TOOL]),
})

/** A client of one simulator. */
function open({
  text,
  finish_reason,
  ...given
}: typeof scenario extends fc.Arbitrary<infer Of> ? Of : never) {
  const then = { outcome: given.outcome, delay: given.delay } as const
  const sim = createSimulator({
    clock: 'manual',
    scenario: {
      defaults: { reply: { text, ...(finish_reason && { finish_reason }) }, delay: '1s' },
      rules: [{ when: { model: 'o3' }, then }],
      capacity: { running: 1 },
    } as ScenarioInput,
  })
  const own = handlers(sim, { dialect: 'openai' })
  const send = async (path: string, order?: object) => {
    const headers = { authorization: 'Bearer any', 'content-type': 'application/json' }
    const init = order && { method: 'POST', body: JSON.stringify(order) }
    const url = `https://api.openai.com/v1/responses${path}`
    const response = await getResponse(own, new Request(url, { headers, ...init }))
    if (response === undefined) throw new Error(`No handler answers ${path}`)
    return response
  }
  /** The events of a stream, up to the one with a number. */
  const events = async (path: string, order?: object, last = Infinity) => {
    const read: string[] = []
    const reader = (await send(path, order)).body?.pipeThrough(new TextDecoderStream()).getReader()
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
      if (read.push(next.value) > last) break
    await reader?.cancel()
    return read
  }
  return {
    sim,
    send,
    read: (...stream: Parameters<typeof events>) => advanceUntilDone(sim, events(...stream)),
  }
}

test('a stream and its resumption after any event are the whole stream, which is the same in every run', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, request, fc.nat(60), async (given, more, last) => {
      const order = { ...ORDER, ...more, ...(more.tools && { tool_choice: 'required' }) }
      const run = async () => {
        const { sim, send, read } = open(given)
        if (given.isBehind) await send('', { model: 'other', input: 'wait', background: true })
        const first = await read('', order, last)
        const [id] = /resp_\w+/.exec(first[0] ?? '') ?? []
        if (given.isCanceled) await send(`/${id}/cancel`, {})
        const rest = await read(`/${id}?stream=true&starting_after=${first.length - 1}`)
        const whole = await read(`/${id}?stream=true`)
        expect([...first, ...rest]).toEqual(whole)
        for (let number = 0; number < whole.length; number += 1 + Math.floor(whole.length / 8))
          expect(await read(`/${id}?stream=true&starting_after=${number}`)).toEqual(whole.slice(number + 1))
        sim.close()
        return whole
      }
      const whole = await run()
      const numbers = whole.map((event) => Number(/"sequence_number":(\d+)/.exec(event)?.[1]))
      expect(numbers).toEqual([...whole.keys()])
      expect(await run()).toEqual(whole)
    }),
    { numRuns: runs(3, 30) },
  )
})
