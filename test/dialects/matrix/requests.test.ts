import { expect, it } from 'vitest'
import { type Answer, type AnyClient, openClient } from './any-client.js'
import { describePairs } from './describe-pairs.js'

const NOT_FOUND = { status: 404, code: 'task_not_found' } as const

describePairs('requests', (open, { name, host }) => {
  it('are answered with the same bytes for the same seed', async () => {
    const transcripts: string[] = []
    let unknown = 0
    for (let run = 0; run < 2; run++) {
      const client = await open()
      const created = await client.create()
      const id = client.idIn(created)
      await client.sim.clock.advance('4s')
      const running = await client.poll(id)
      await client.sim.clock.advance('6s')
      unknown = client.rejects(NOT_FOUND)
      const answers = [created, running, await client.poll(id), await client.poll('unknown')]
      transcripts.push(answers.map((answer) => transcriptOf(answer, client)).join('\n'))
    }
    expect(transcripts[1]).toBe(transcripts[0])
    expect(transcripts[0]).toMatch(new RegExp(`^2\\d\\d .*\\n20[02] .*\\n200 .*\\n${unknown} `, 's'))
  })

  it('show a task that runs, and ends on the clock', async () => {
    const client = await open()
    const id = client.idIn(await client.create())
    expect(client.stateIn(await client.poll(id))).toBe(client.shownAs('processing'))
    await client.sim.clock.advance('10s')
    expect(client.stateIn(await client.poll(id))).toBe('succeeded')
  })

  it('see a clock that runs faster than real time', async () => {
    const client = await open({}, { clock: 'real', speed: 100_000 })
    const id = client.idIn(await client.create())
    await expect.poll(async () => client.stateIn(await client.poll(id))).toBe('succeeded')
  })

  it('with the key of a sandbox reach its tasks only', async () => {
    const client = await open()
    const { sim, identity } = client.sim.createSandbox()
    const other = await openClient(host, name, {}, identity.key, client.sim)
    const [own, foreign] = [client.idIn(await client.create()), other.idIn(await other.create())]
    for (const answer of [await client.poll(foreign), await other.poll(own)])
      expect([answer.status, client.stateIn(answer)]).toEqual([client.rejects(NOT_FOUND), undefined])
    expect(other.stateIn(await other.poll(foreign))).toBe(client.shownAs('processing'))
    expect(await sim.tasks.get(foreign)).toMatchObject({ dialect: name })
  })

  it('wait for the capacity, or are rejected', async () => {
    const client = await open({ capacity: { running: 1, queued: 1 } })
    const ids = [client.idIn(await client.create()), client.idIn(await client.create())]
    const rejected = await client.create()
    const status = client.rejects({ status: 429, code: 'rate_limited' })
    expect([rejected.status, rejected.headers['retry-after']]).toEqual([status, expect.any(String)])
    const states: unknown[] = []
    for (const id of ids) states.push(client.stateIn(await client.poll(id)))
    expect(states).toEqual([client.shownAs('processing'), client.shownAs('queued')])
  })

  it('cost what the scenario says', async () => {
    const client = await open({ defaults: { delay: '1s', price: { per_task: 0.25 } } })
    const id = client.idIn(await client.create())
    await client.sim.clock.advance('1s')
    expect(await client.sim.tasks.get(id)).toMatchObject({ status: 'succeeded', cost: 250_000 })
  })

  it('lead to findings about bad habits only', async () => {
    const client = await open()
    const id = client.idIn(await client.create())
    const mistakes = async () => {
      const findings = await client.sim.findings()
      return findings.map(({ id }) => id).filter((id) => id !== 'unknown-fields')
    }
    await client.sim.clock.advance('10s')
    await client.poll(id)
    expect(await mistakes()).toEqual([])
    for (let count = 0; count < 5; count++) await client.poll(id)
    expect(await mistakes()).toContain('polls-after-end')
  })
})

function transcriptOf({ status, headers, text }: Answer, { origin }: AnyClient): string {
  const shown = Object.entries(headers).filter(
    ([name]) => !['date', 'connection', 'keep-alive'].includes(name),
  )
  return `${status} ${JSON.stringify(shown.sort())} ${text}`.replaceAll(origin, 'ORIGIN')
}
