import RunwayML, { TaskFailedError, TaskTimedOutError } from '@runwayml/sdk'
import { expect, it } from 'vitest'
import { describeClient, download, type Open } from './describe-client.js'

const RUNWAY = {
  name: 'runway',
  // The client adds /v1 to every path.
  baseUrl: 'https://api.dev.runwayml.com',
  path: '/runway',
}

const VIDEO = {
  model: 'gen4_turbo',
  promptImage: 'https://example.com/assets/bunny.jpg',
  ratio: '1280:720',
  promptText: 'The bunny is eating a carrot',
} as const
const IMAGE = { model: 'gen4_image', promptText: 'a lighthouse at dawn', ratio: '1280:720' } as const

async function start(open: Open, ...scenario: Parameters<Open>) {
  const { baseUrl, ...service } = await open(...scenario)
  return { ...service, baseUrl, client: new RunwayML({ baseURL: baseUrl, apiKey: 'runway-key' }) }
}

describeClient(RUNWAY, (open) => {
  it('creates a video, and the client waits for its output', async () => {
    const { client, requests } = await start(open, { kinds: { video: { price: { per_task: 0.25 } } } })
    const task = await client.imageToVideo.create(VIDEO).waitForTaskOutput()
    expect(task).toMatchObject({ status: 'SUCCEEDED', cost: { credits: 25 }, output: [expect.any(String)] })
    expect(await download(task.output[0])).toContain('ftyp')
    const polls = requests.filter(({ operation }) => operation === 'tasks.retrieve')
    expect(polls.length).toBeGreaterThan(1)
  })

  it('is polled on if the first poll shows the task as it was when it was created', async () => {
    const when = { operation: 'tasks.retrieve' as const }
    const { sim, client } = await start(open, { faults: [{ when, then: ['stale'] }] })
    const { id } = await client.imageToVideo.create(VIDEO)
    await sim.clock.advance('1m')
    expect(await client.tasks.retrieve(id)).toMatchObject({ id, status: 'RUNNING' })
    const { status, output } = await client.tasks.retrieve(id).waitForTaskOutput()
    expect(status).toBe('SUCCEEDED')
    await download(output[0] ?? '')
    expect((await sim.verdict({ final: true })).findings).toEqual([])
  })

  it('uploads a file in two steps, and creates a video from it', async () => {
    const { sim, client, requests } = await start(open)
    const file = new File(['meow'], 'cat.png', { type: 'image/png' })
    const { uri } = await client.uploads.createEphemeral({ file })
    expect(requests.map(({ operation, status }) => [operation, status])).toEqual([
      ['files.upload', 200],
      ['files.upload', 204],
    ])
    const [upload] = (await sim.uploads()).list('runway-key', 'runway')
    expect(upload).toMatchObject({ name: 'cat.png', contentType: 'image/png', isComplete: true })
    expect(uri).toBe(`runway://${upload?.id}`)
    const task = await client.imageToVideo.create({ ...VIDEO, promptImage: uri }).waitForTaskOutput()
    expect(task.status).toBe('SUCCEEDED')
  })

  it('creates an image, whose kind is known from the path', async () => {
    const { client } = await start(open)
    const { output } = await client.textToImage.create(IMAGE).waitForTaskOutput()
    expect(await download(output[0])).toContain('PNG')
  })

  it('estimates the cost, and reports the progress while the task is running', async () => {
    const { sim, client } = await start(open)
    const { id, estimatedCost } = await client.imageToVideo.create(VIDEO)
    expect(estimatedCost).toEqual({ credits: expect.any(Number) })
    await sim.clock.advance('5s')
    const running = await client.tasks.retrieve(id)
    expect(running).toMatchObject({
      id,
      status: 'RUNNING',
      estimatedCost,
      createdAt: expect.stringMatching(/^2026-/),
    })
    expect(running).toHaveProperty(
      'progress',
      expect.toSatisfy((share) => share > 0 && share < 1),
    )
  })

  it('shows a task that waits for capacity as not started', async () => {
    const { client } = await start(open, { capacity: { running: 1 } })
    await client.imageToVideo.create(VIDEO)
    const { id } = await client.imageToVideo.create(VIDEO)
    const throttled = await client.imageToVideo.create(VIDEO)
    const statuses = await Promise.all([id, throttled.id].map((each) => client.tasks.retrieve(each)))
    expect(statuses.map(({ status }) => status)).toEqual(['PENDING', 'THROTTLED'])
  })

  it('reports a failure as the error of the client, with reason and code', async () => {
    const error = { code: 'SAFETY.INPUT.TEXT', message: 'The prompt was rejected.' }
    const { client } = await start(open, { rules: [{ then: { outcome: 'failed', error } }] })
    const failure = await client.imageToVideo
      .create(VIDEO)
      .waitForTaskOutput()
      .catch((reason) => reason)
    expect(failure).toBeInstanceOf(TaskFailedError)
    expect(failure.taskDetails).toMatchObject({
      status: 'FAILED',
      failure: error.message,
      failureCode: error.code,
      cost: { credits: 0 },
    })
  })

  it('runs into the time limit of the client if the task never ends', async () => {
    const { sim, client } = await start(open, { rules: [{ then: { outcome: 'stuck' } }] })
    const before = sim.clock.now()
    const waiting = client.imageToVideo.create(VIDEO).waitForTaskOutput({ timeout: 60_000 })
    await expect(waiting).rejects.toBeInstanceOf(TaskTimedOutError)
    expect(sim.clock.now() - before).toBeGreaterThan(60_000)
  })

  it('cancels a running task and deletes an ended one, and both are gone then', async () => {
    const { sim, client } = await start(open)
    const [running, ended] = [await client.imageToVideo.create(VIDEO), await client.textToImage.create(IMAGE)]
    await client.tasks.delete(running.id)
    await sim.clock.advance('10s')
    expect((await client.tasks.retrieve(ended.id)).status).toBe('SUCCEEDED')
    await client.tasks.delete(ended.id)
    for (const { id } of [running, ended])
      await expect(client.tasks.retrieve(id)).rejects.toBeInstanceOf(RunwayML.NotFoundError)
  })

  it('throws the errors that the client knows by their status', async () => {
    const { client, baseUrl } = await start(open, { auth: { keys: ['runway-key'] } })
    const stranger = new RunwayML({ baseURL: baseUrl, apiKey: 'another-key' })
    await expect(stranger.imageToVideo.create(VIDEO)).rejects.toBeInstanceOf(RunwayML.AuthenticationError)
    await expect(client.imageToVideo.create({ ...VIDEO, model: '' as 'gen4_turbo' })).rejects.toMatchObject({
      status: 400,
      error: { error: expect.any(String) },
    })
  })

  it('is retried by the client after a 429, when Retry-After allows it', async () => {
    const fault = {
      when: { operation: 'tasks.create' as const },
      then: [{ status: 429, retry_after: '7s' as const }],
    }
    const { sim, client, requests } = await start(open, { faults: [fault] })
    const before = sim.clock.now()
    await client.imageToVideo.create(VIDEO)
    expect([requests.length, sim.clock.now() - before]).toEqual([2, 7_000])
  })
})
