import { promisify } from 'node:util'
import RunwayML, { NotFoundError, TaskTimedOutError } from '@runwayml/sdk'
import { AssemblyAI } from 'assemblyai'
import LumaAI from 'lumaai'
import { expect as check, describe, vi } from 'vitest'
import { expect, simTest } from '../../src/vitest/index.js'

const scenario = { defaults: { delay: '10s' } } as const
const MINUTE = 60_000

describe('a client of Runway', () => {
  const test = simTest({ dialect: 'runway', scenario })
  const VIDEO = {
    model: 'gen4_turbo',
    promptImage: 'https://example.com/bunny.jpg',
    ratio: '1280:720',
  } as const
  const client = () => new RunwayML({ apiKey: 'runway-key' })

  test('waits for the output of a task on the clock', async ({ sim }) => {
    const { output } = await client().imageToVideo.create(VIDEO).waitForTaskOutput()
    check((await fetch(String(output[0]))).status).toBe(200)
    expect(sim).toHaveSucceeded()
    check(Date.now() - Date.parse('2026-01-01T00:00:00Z')).toBeGreaterThanOrEqual(10_000)
  })

  test('goes on polling after a reset, and learns that its task is gone', async ({ sim }) => {
    const waiting = client().imageToVideo.create(VIDEO).waitForTaskOutput()
    const later = new Promise((resolve) => setTimeout(resolve, 3_000))
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    await sim.reset()
    await later
    check(new Date().toISOString()).toBe('2026-01-01T00:00:02.000Z')
    await check(waiting).rejects.toBeInstanceOf(NotFoundError)
  })

  const stuck = test.extend({ simOptions: { dialect: 'runway', scenario: 'stuck' } })

  stuck('gives up after the time limit of the client', async () => {
    const waiting = client().imageToVideo.create(VIDEO).waitForTaskOutput({ timeout: MINUTE })
    await check(waiting).rejects.toBeInstanceOf(TaskTimedOutError)
  })
})

describe('a client of AssemblyAI', () => {
  const test = simTest({ dialect: 'assemblyai', scenario })

  test('polls every three seconds of the clock', async ({ sim }) => {
    const { transcripts } = new AssemblyAI({ apiKey: 'assemblyai-key' })
    const transcript = await transcripts.transcribe({ audio: 'https://assembly.ai/sports_injuries.mp3' })
    check(transcript.status).toBe('completed')
    check(sim.clock.now() - Date.parse('2026-01-01T00:00:00Z')).toBe(12_000)
    expect(sim).toHaveNoFindings()
  })
})

describe('a client of Luma', () => {
  const test = simTest({ dialect: 'luma', scenario })
  const VIDEO = { model: 'ray-2', prompt: 'waves' } as const
  const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
  const client = () => new LumaAI({ authToken: 'luma-key' })

  test('is polled by the application, whose sleeps pass on the clock', async ({ sim }) => {
    const { generations } = client()
    let generation = await generations.create(VIDEO)
    while (generation.state === 'dreaming') {
      await sleep(5_000)
      generation = await generations.get(String(generation.id))
    }
    check(generation.state).toBe('completed')
    check(new Date().toISOString()).toBe('2026-01-01T00:00:10.000Z')
    await fetch(String(generation.assets?.video))
    expect(sim).toHaveNoFindings()
  })

  const limited = test.extend({
    simOptions: {
      dialect: 'luma',
      scenario: { ...scenario, faults: [{ then: [{ status: 429, retry_after: '7s' }] }] },
    },
  })

  limited('retries when Retry-After allows it', async ({ sim }) => {
    await client().generations.create(VIDEO)
    check(sim.clock.now() - Date.parse('2026-01-01T00:00:00Z')).toBe(7_000)
  })

  const hanging = test.extend({
    simOptions: { dialect: 'luma', scenario: { faults: [{ then: { hang: true } }] } },
  })

  hanging('gives up a request that hangs, after the timeout of the client', async ({ sim }) => {
    const patient = new LumaAI({ authToken: 'luma-key', timeout: 20_000, maxRetries: 0 })
    await check(patient.generations.list()).rejects.toBeInstanceOf(LumaAI.APIConnectionTimeoutError)
    check(sim.clock.now() - Date.parse('2026-01-01T00:00:00Z')).toBe(20_000)
  })

  test('waits for the answer of a request that the service holds', async ({ sim }) => {
    const image = await client().generations.image.create({ model: 'photon-1', prompt: 'dawn', sync: true })
    check([image.state, sim.clock.now() - Date.parse('2026-01-01T00:00:00Z')]).toEqual(['completed', 10_000])
  })

  test('two that wait at the same time share the time', async ({ sim }) => {
    await Promise.all([sleep(5_000), sleep(8_000), sleep(8_000)])
    check(sim.clock.now() - Date.parse('2026-01-01T00:00:00Z')).toBe(8_000)
  })

  test('timers take the same numbers as those of Node', async ({ sim }) => {
    // Node warns of numbers that are not valid.
    vi.spyOn(process, 'emitWarning').mockReturnValue()
    const wait = promisify(setTimeout)
    check(await Promise.all([wait(), wait(Infinity, 'a')])).toEqual([undefined, 'a'])
    await check(async () => wait('soon' as never)).rejects.toThrow('must be of type number')
    await sleep('soon' as never)
    check(sim.clock.now()).toBe(Date.parse('2026-01-01T00:00:00Z'))
    check(await wait(1_500.5, 'b')).toBe('b')
    check(sim.clock.now() - Date.parse('2026-01-01T00:00:00Z')).toBe(1_501)
    await sleep('1500.5' as never)
    check(sim.clock.now() - Date.parse('2026-01-01T00:00:00Z')).toBe(3_002)
  })

  test('timers that were canceled, and timers without reference, do not move the clock', async ({ sim }) => {
    const canceled = setTimeout(() => {}, 2_000)
    setTimeout(() => {}, 3_000).unref()
    const fired = sleep(5_000)
    clearTimeout(canceled)
    await fired
    setTimeout(() => {}, 9_000).unref()
    await new Promise((resolve) => setImmediate(resolve))
    check(sim.clock.now() - Date.parse('2026-01-01T00:00:00Z')).toBe(5_000)
  })
})

describe('a redirected download', () => {
  const test = simTest({ dialect: 'openai' })

  test('stays on the host of the service, on whose paths a server has other ones', async ({ sim }) => {
    const id = 'one'
    await sim.explore({ deviations: [{ id, place: 'file#1.0', fault: { status: 302 } }] })
    const headers = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
    const videos = 'https://api.openai.com/v1/videos'
    const body = JSON.stringify({ model: 'sora-2', prompt: 'waves' })
    const video = await (await fetch(videos, { method: 'POST', headers, body })).json()
    await sim.clock.runUntilIdle()
    const { status, redirected } = await fetch(`${videos}/${video.id}/content?variant=video`, { headers })
    check({ status, redirected }).toEqual({ status: 200, redirected: true })
  })
})
