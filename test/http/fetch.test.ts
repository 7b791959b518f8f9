import { setImmediate } from 'node:timers/promises'
import { getResponse } from 'msw'
import { expect, it, onTestFinished, vi } from 'vitest'
import { handlers } from '../../src/hosts/msw/index.js'
import { createSimulator } from '../../src/index.js'
import { json } from '../support/json.js'
import { type Application, describeFetch } from './fetching.js'
import { IMAGE } from './hosts.js'

const CREATE = { operation: 'tasks.create' } as const

/** The length of the answer to a create request. */
const WHOLE = 165

const tasksOf = async ({ call }: Application) => (await json(call('/tasks'))).data

/** Returns whether a promise is still pending after all other work had its turn. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let open = true
  const settle = () => {
    open = false
  }
  promise.then(settle, settle)
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  return open
}

/** Reads a body as far as possible. */
async function readAll({ body }: Response): Promise<{ text: string; error: unknown }> {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const chunk of body ?? []) text += decoder.decode(chunk)
    return { text, error: undefined }
  } catch (error) {
    return { text, error }
  }
}

describeFetch('an application that calls fetch', (start, { breaksOff }) => {
  it.each(['before', 'during'] as const)('gets a network error on a reset %s the headers', async (reset) => {
    const application = await start([{ when: CREATE, then: { reset } }])
    await expect(application.create(IMAGE)).rejects.toThrow(TypeError)
    expect(await tasksOf(application)).toEqual([])
  })

  it.runIf(breaksOff)('gets the headers and no body on a reset after them', async () => {
    const { create } = await start([{ then: { reset: 'after' } }])
    const response = await create(IMAGE)
    expect(response).toMatchObject({ ok: true, status: 200 })
    expect(response.headers.get('content-type')).toBe('application/json')
    await expect(response.text()).rejects.toThrow(TypeError)
  })

  it.runIf(breaksOff)('gets a body that ends at the cut', async () => {
    const { create } = await start([{ then: 'cut' }])
    const response = await create(IMAGE)
    expect(response.status).toBe(200)
    const { text, error } = await readAll(response)
    expect(error).toBeInstanceOf(TypeError)
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
  })

  it.each([{ cut: 1 }, { cut: 0.5, body: 'empty' }] as const)(
    'gets a complete body if the fault removes nothing: %j',
    async (fault) => {
      const { create } = await start([{ then: fault }])
      const { text, error } = await readAll(await create(IMAGE))
      expect(error).toBeUndefined()
      expect(text).toHaveLength(fault.cut === 1 ? WHOLE : 0)
    },
  )

  it.each(['empty', 'invalid_json', 'html'] as const)('cannot parse the body of %s', async (fault) => {
    const { create } = await start([{ then: fault }])
    const response = await create(IMAGE)
    expect(response.status).toBe(fault === 'html' ? 502 : 200)
    await expect(response.json()).rejects.toThrow(SyntaxError)
  })

  it('waits for a request that hangs until it aborts', async () => {
    const { sim, create } = await start([{ then: 'hang' }])
    const giveUp = new AbortController()
    const answered = vi.fn()
    sim.on('request.answered', answered)
    const response = create(IMAGE, { signal: giveUp.signal })
    await expect.poll(() => answered.mock.calls.length).toBe(1)
    await sim.clock.advance('30d')
    expect(await isOpen(response)).toBe(true)
    giveUp.abort()
    await expect(response).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('gets a delayed answer when the clock reaches it', async () => {
    const { sim, create, waits } = await start([{ then: { delay: '2s' } }])
    const response = create(IMAGE)
    await waits()
    await sim.clock.advance('1999ms')
    expect(await isOpen(response)).toBe(true)
    await sim.clock.advance('1ms')
    expect((await response).status).toBe(200)
  })

  it('can abort a delayed answer before the clock reaches it', async () => {
    const { sim, create, waits } = await start([{ then: { delay: '2s' } }])
    const giveUp = new AbortController()
    const response = create(IMAGE, { signal: giveUp.signal })
    await waits()
    giveUp.abort()
    await expect(response).rejects.toMatchObject({ name: 'AbortError' })
    await sim.clock.advance('1m')
  })

  it('gets a slow body at the speed of the clock', async () => {
    const { sim, create, waits } = await start([{ when: CREATE, then: { bytes_per_second: 100 } }])
    const response = await create(IMAGE)
    const whole = response.text()
    await waits()
    expect(await isOpen(whole)).toBe(true)
    await sim.clock.advance('1s')
    expect(await isOpen(whole)).toBe(true)
    await sim.clock.advance('5s')
    expect(JSON.parse(await whole)).toMatchObject({ input: IMAGE.input })
  })

  it('can cancel a slow body in the middle', async () => {
    const { sim, create, waits } = await start([{ then: { bytes_per_second: 100 } }])
    const reader = (await create(IMAGE)).body?.getReader()
    expect((await reader?.read())?.value).toHaveLength(10)
    await waits()
    // MSW keeps a copy of the body, which is canceled only with its original, so the test does not wait for it.
    void reader?.cancel()
    await sim.clock.advance('1m')
  })

  it('has not got a file if it aborts in the middle', async () => {
    const slow = { when: { operation: 'files.download' as const }, then: { bytes_per_second: 100 } }
    const application = await start([slow])
    const { sim, create, waits } = application
    await create(IMAGE)
    await sim.clock.advance('1m')
    const [task] = await tasksOf(application)
    const answered: boolean[] = []
    sim.on('request.answered', ({ delivered }) => void answered.push(delivered))
    const giveUp = new AbortController()
    const body = (await fetch(task.output.images[0], { signal: giveUp.signal })).arrayBuffer()
    await waits()
    giveUp.abort()
    await expect(body).rejects.toMatchObject({ name: 'AbortError' })
    await sim.clock.advance('1m')
    await expect.poll(() => answered).toEqual([false])
  })

  it('can abort in the middle of a slow body', async () => {
    const { sim, create, waits } = await start([{ then: { bytes_per_second: 100 } }])
    const giveUp = new AbortController()
    const body = (await create(IMAGE, { signal: giveUp.signal })).text()
    await waits()
    giveUp.abort()
    expect(await isOpen(body)).toBe(false)
    await expect(body).rejects.toMatchObject({ name: 'AbortError' })
    await sim.clock.advance('1m')
  })

  it('has a task after a create whose answer is lost, and two after a blind retry', async () => {
    const application = await start([{ when: { ...CREATE, nth: 1 }, then: 'lost' }])
    await expect(application.create(IMAGE)).rejects.toThrow(TypeError)
    const [lost] = await tasksOf(application)
    expect(lost).toMatchObject({ status: 'processing', input: IMAGE.input })
    const { id } = await json(application.create(IMAGE))
    expect(await tasksOf(application)).toMatchObject([{ id }, { id: lost.id }])
  })

  it('has a task after a create that hangs, if the operation runs', async () => {
    const application = await start([{ when: CREATE, then: { hang: true, executed: true } }])
    const giveUp = new AbortController()
    const response = application.create(IMAGE, { signal: giveUp.signal })
    await expect.poll(() => tasksOf(application)).toHaveLength(1)
    giveUp.abort()
    await expect(response).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('has no task after a create that was rejected or never answered', async () => {
    const application = await start([
      { when: CREATE, then: [503, 'reset', 'html', { delay: '1s', status: 500 }] },
    ])
    await application.create(IMAGE)
    await application.create(IMAGE).catch(() => {})
    await application.create(IMAGE)
    const held = application.create(IMAGE)
    await application.waits()
    await application.sim.clock.advance('1s')
    expect((await held).status).toBe(500)
    expect(await tasksOf(application)).toEqual([])
  })
})

it('a slow body ends at once when MSW itself aborts it', async () => {
  const sim = createSimulator({ clock: 'manual', scenario: { faults: [{ then: { bytes_per_second: 1 } }] } })
  onTestFinished(() => sim.close())
  const request = new Request('https://api.example.com/v1/tasks', { headers: { authorization: 'Bearer sk' } })
  const reader = (await getResponse(handlers(sim), request))?.body?.getReader()
  await reader?.read()
  await expect.poll(() => sim.clock.next).toBeDefined()
  expect(await isOpen(Promise.resolve(reader?.cancel()))).toBe(false)
})
