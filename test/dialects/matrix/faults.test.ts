import { expect, it } from 'vitest'
import { FAULT_WORDS } from '../../../src/engine/requests/fault.js'
import { answeredTasks } from '../../../src/engine/tasks/answered-task.js'
import { createSimulator } from '../../../src/index.js'
import type { Answer } from './any-client.js'
import { describePairs } from './describe-pairs.js'

/** What a client sees of each named fault of a poll, given the answer to the poll before it. */
const SEEN: Readonly<Record<keyof typeof FAULT_WORDS, (answer: Answer, before: Answer) => void>> = {
  pass: ({ status, text }) => expect([status, JSON.parse(text)]).toEqual([200, expect.anything()]),
  reset: ({ status }) => expect(status).toBe(0),
  lost: ({ status }) => expect(status).toBe(0),
  hang: ({ status }) => expect(status).toBe(0),
  unanswered: ({ status }) => expect(status).toBe(0),
  cut: ({ status, isCut }) => expect([status, isCut]).toEqual([200, true]),
  empty: ({ status, text }) => expect([status, text]).toEqual([200, '']),
  invalid_json: ({ text }) => expect(() => JSON.parse(text)).toThrow(SyntaxError),
  html: ({ status, text }) => expect([status, text]).toEqual([502, expect.stringMatching(/^<!?\w/)]),
  wrong_type: ({ headers }) => expect(headers['content-type']).toMatch(/^text\/plain/),
  stale: ({ text }, before) => expect(text).toBe(before.text),
}

describePairs('faults', (open) => {
  it.each(Object.keys(FAULT_WORDS) as (keyof typeof FAULT_WORDS)[])(
    'spoil the second poll: %s',
    async (word) => {
      const client = await open({ faults: [{ when: { operation: 'tasks.retrieve' }, then: ['pass', word] }] })
      const id = client.idIn(await client.create())
      const before = await client.poll(id)
      await client.sim.clock.advance('10s')
      const patience = new AbortController()
      const isSilent = word === 'hang' || word === 'unanswered'
      client.sim.on('request.answered', () => isSilent && setImmediate(() => patience.abort()))
      SEEN[word](await client.poll(id, patience.signal), before)
    },
  )

  it('show a task as it was when it was created, in the form of the first poll', async () => {
    const then = ['stale', 'pass'] as const
    const [usual, late] = [
      await open(),
      await open({ faults: [{ when: { operation: 'tasks.retrieve' }, then: [...then] }] }),
    ]
    const [first, second] = [usual.idIn(await usual.create()), late.idIn(await late.create())]
    const { text: atOnce } = await usual.poll(first)
    await late.sim.clock.advance('10s')
    const { text } = await late.poll(second)
    expect(second).toBe(first)
    expect(withoutOrigins(text)).toEqual(withoutOrigins(atOnce))
    expect(late.stateIn(await late.poll(second))).toBe('succeeded')
  })

  it('answer with a status in the error format of the service', async () => {
    const client = await open({ faults: [{ then: { status: 503, retry_after: '7s' } }] })
    const { status, headers, text } = await client.create()
    expect([status, headers['retry-after']]).toEqual([503, '7'])
    const own = client.dialect.error(
      { status: 503, code: 'unavailable', message: 'x', param: undefined, headers: {} },
      'req_1',
      client.sim.scenario,
    )
    expect(Object.keys(JSON.parse(text))).toEqual(Object.keys(JSON.parse(String(own.body))))
  })

  it('change a field of an answer', async () => {
    const client = await open()
    const { status } = client.dialect.answers
    client.sim.useScenario(
      createSimulator({ scenario: { faults: [{ then: { patch: { [status]: 'odd' } } }] } }).scenario,
    )
    const [task] = answeredTasks(JSON.parse((await client.create()).text), client.dialect.answers)
    expect(task).toMatchObject({ [status]: 'odd' })
  })

  it('delay an answer on the clock', async () => {
    const client = await open({ faults: [{ then: { delay: '3s' } }] })
    const creating = client.create()
    await expect.poll(() => client.sim.clock.next).toBeDefined()
    await client.sim.clock.advance('3s')
    expect((await creating).status).toBeLessThan(300)
  })
})

/** Each simulator has a port of its own. */
function withoutOrigins(text: string): string {
  return text.replace(/http:\/\/127\.0\.0\.1:\d+/g, '')
}
