import runpodSdk from 'runpod-sdk'
import { beforeEach, expect, it, vi } from 'vitest'
import { startReceiver } from '../http/receiver.js'
import { describeClient, download, type Open } from './describe-client.js'

const RUNPOD = {
  name: 'runpod',
  baseUrl: 'https://api.runpod.ai/v2',
  path: '/runpod/v2',
}

const HORSE = { input: { prompt: 'a photo of a horse the size of a Boeing 787' } }

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  const endpointFor = (key: string) => {
    const endpoint = runpodSdk(key, { baseUrl }).endpoint('flux-image')
    if (endpoint === null) throw new Error('The client made no endpoint')
    return endpoint
  }
  return { ...service, endpoint: endpointFor('runpod-key'), stranger: endpointFor('another-key') }
}

// The client prints a line at every poll.
beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))

describeClient(RUNPOD, (open) => {
  it('runs a job in one request that the server holds until the job ends', async () => {
    const { endpoint, requests } = await start(open)
    const result = await endpoint.runSync(HORSE)
    expect(result).toMatchObject({
      status: 'COMPLETED',
      completed: true,
      succeeded: true,
      executionTime: 10_000,
    })
    expect(JSON.stringify(result.output)).toMatch(/https?:/)
    expect(requests).toHaveLength(1)
  })

  it('queues a job, whose status and output are read later', async () => {
    const { sim, endpoint } = await start(open)
    const { id, status } = await endpoint.run(HORSE)
    expect([status, id]).toEqual([expect.stringMatching(/^IN_(?:QUEUE|PROGRESS)$/), expect.any(String)])
    expect(await endpoint.status(id)).toMatchObject({ id, completed: false })
    await sim.clock.advance('10s')
    const done = await endpoint.status(id)
    expect(done).toMatchObject({ id, status: 'COMPLETED', delayTime: 0, executionTime: 10_000 })
    const [url] = JSON.stringify(done).match(/https?:[^"]+/) ?? []
    expect(await download(url)).toContain('PNG')
  })

  it('reports a failure as a status with a message', async () => {
    const error = { code: 'oom', message: 'The worker ran out of memory.' }
    const { endpoint } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    const failed = await endpoint.runSync(HORSE)
    expect(failed).toMatchObject({ status: 'FAILED', succeeded: false, error: error.message })
  })

  it('cancels a job', async () => {
    const { endpoint } = await start(open)
    const { id } = await endpoint.run(HORSE)
    expect(await endpoint.cancel(id)).toMatchObject({ id, status: 'CANCELLED' })
    expect(await endpoint.status(id)).toMatchObject({
      status: 'CANCELLED',
      completed: true,
      succeeded: false,
    })
  })

  it('gives up after the time limit of the client if the job never ends', async () => {
    const { endpoint } = await start(open, { rules: [{ then: { outcome: 'stuck' } }] })
    const result = await endpoint.runSync(HORSE, 5_000)
    expect(result).toMatchObject({ status: 'IN_PROGRESS', completed: false })
  })

  it('streams the output of a job in requests that the server holds', async () => {
    const { endpoint, requests } = await start(open)
    const { id } = await endpoint.run(HORSE)
    const outputs: unknown[] = []
    const read = async () => {
      for await (const { output } of endpoint.stream(id)) outputs.push(output)
    }
    await read()
    expect(outputs.length).toBeGreaterThan(0)
    expect(JSON.stringify(outputs)).toMatch(/https?:/)
    expect(requests.length).toBeLessThan(5)
  })

  it('counts the jobs of the endpoint, and cancels those in its queue', async () => {
    const { sim, endpoint } = await start(open, { capacity: { running: 1 } })
    const ids: string[] = []
    for (let made = 0; made < 3; made++) ids.push((await endpoint.run(HORSE)).id)
    expect((await endpoint.health()).jobs).toMatchObject({ inProgress: 1, inQueue: 2, completed: 0 })
    expect(await endpoint.purgeQueue()).toEqual({ removed: 2, status: 'completed' })
    expect((await endpoint.status(ids[2] ?? '')).status).toBe('CANCELLED')
    await sim.clock.advance('10s')
    expect(await endpoint.health()).toEqual({
      jobs: { completed: 1, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
      workers: { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0 },
    })
  })

  it('posts the status to the webhook URL', async () => {
    const { url, received } = await startReceiver()
    const { sim, endpoint } = await start(open)
    const { id } = await endpoint.run({ ...HORSE, webhook: url })
    await sim.clock.advance('10s')
    expect(received.map(({ json }) => json)).toMatchObject([
      { id, status: 'COMPLETED', output: expect.anything() },
    ])
  })

  it('rejects with the status and the body, and without a retry', async () => {
    const { endpoint, stranger, requests } = await start(open, {
      auth: { keys: ['runpod-key'] },
      faults: [{ when: { operation: 'tasks.create' }, then: [429] }],
    })
    await expect(stranger.run(HORSE)).rejects.toMatchObject({ response: { status: 401 } })
    await expect(endpoint.status('x')).rejects.toMatchObject({ response: { status: 404 } })
    await expect(endpoint.run(HORSE)).rejects.toMatchObject({ response: { status: 429 } })
    expect(requests).toHaveLength(3)
  })
})
