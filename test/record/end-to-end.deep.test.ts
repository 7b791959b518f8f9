import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator, parseRecording, type ScenarioInput, type Simulator } from '../../src/index.js'
import { KEY, startSimulated } from '../cli/record/service.js'
import { startRecorder } from '../cli/record/start-recorder.js'
import { OFFICIAL_CLIENTS } from './official-clients.js'

/** How the real service behaves, which nothing but its answers shows. */
const HIDDEN: ScenarioInput = {
  seed: 'hidden',
  defaults: {
    queueing: { min: '50ms', max: '200ms' },
    delay: { min: '300ms', max: '900ms' },
    failures: { rate: 0.3, errors: [{ code: 'content_policy', message: 'The prompt was refused.' }] },
    price: { per_task: 0.0375 },
  },
}

/** Two of the requests are equal. */
const PROMPTS = ['a lighthouse', 'a lock gate', 'a lighthouse']

/** What a client gets, as JSON. An error counts as well. */
async function results(dialect: string, origin: string, others: readonly string[] = []): Promise<string[]> {
  const use = OFFICIAL_CLIENTS[dialect] ?? expect.unreachable(dialect)
  const all: unknown[] = []
  for (const prompt of PROMPTS)
    all.push(await use(origin, prompt, KEY).catch((error: Error) => `${error.name}: ${error.message}`))
  const bases = [`${origin}/google`, 'https://generativelanguage.googleapis.com', origin, ...others]
  return all.map((result) => comparable(JSON.stringify(result), bases))
}

/** A text without what differs from run to run: addresses, times, ids of requests, signatures of URLs and data URLs. */
function comparable(text: string, bases: readonly string[]): string {
  return bases
    .reduce((rest, base) => rest.replaceAll(base, 'ORIGIN'), text)
    .replace(/\?expires=\d+&signature=\w+/g, '')
    .replace(/"(?:data:|\[redacted )[^"]+"/g, '"DATA"')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'TIME')
    .replace(/("\w*(?:_at|created|completed)":)\d+/g, '$1"TIME"')
}

/** Serves a recording. */
async function replay(text: string): Promise<{ sim: Simulator; origin: string; applied: unknown[] }> {
  const sim = createSimulator({ scenario: await parseRecording(text) })
  const applied: unknown[] = []
  sim.on('request.answered', ({ operation, note }) => {
    if (operation === 'tasks.create') applied.push(note.replay)
  })
  const { baseUrl, close } = await listen(sim, { port: 0 })
  onTestFinished(async () => {
    await close()
    sim.close()
  })
  return { sim, origin: new URL(baseUrl).origin, applied }
}

async function expectEqualResults(dialect: string): Promise<void> {
  const { origin: service } = await startSimulated(HIDDEN)
  const mount = dialect === 'tasks' ? '' : `/${dialect}`
  const { recorder, origin, recorded } = await startRecorder(dialect, service + mount)
  const original = await results(dialect, origin, [service])
  expect((await recorder.sim.findings()).map(({ title }) => title)).toEqual([])
  const { text } = await recorded()
  expect(text).not.toContain(KEY)
  expect(text).not.toMatch(/signature=(?!\*)/)

  const { origin: replayed, applied } = await replay(text)
  expect(await results(dialect, replayed), dialect).toEqual(original)
  expect(new Set(applied), dialect).toEqual(new Set(['recorded']))
  await OFFICIAL_CLIENTS[dialect]?.(replayed, 'a lighthouse', KEY).catch(() => {})
  expect(new Set(applied), dialect).toEqual(new Set(['recorded', 'learned']))
}

// All at once, because some clients poll only every ten seconds.
test('each official client gets from a recording what it got from the service', async () => {
  await Promise.all(Object.keys(OFFICIAL_CLIENTS).map(expectEqualResults))
})
