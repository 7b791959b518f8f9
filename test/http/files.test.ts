import sharp from 'sharp'
import { expect, it } from 'vitest'
import { type Client, describeHosts, IMAGE, read, VIDEO } from './hosts.js'

const AUDIO = { model: 'acme/speech-1', input: { prompt: 'good morning' } }

/** Returns the path of the only file of a finished task, without the origin. */
async function finished({ sim, get, post }: Client, body: object): Promise<{ id: string; file: string }> {
  const { id } = (await post('/api/v1/tasks', body)).body
  await sim.clock.advance('10s')
  return { id, file: fileOf((await get(`/api/v1/tasks/${id}`)).body.output) }
}

function fileOf(output: Record<string, string | string[]>): string {
  const { pathname, search } = new URL(String(Object.values(output).flat()[0]))
  return pathname + search
}

const seen: string[] = []

describeHosts('an output file', (open) => {
  it('has the same bytes and the same ETag on both hosts, and after a second rendering', async () => {
    for (let time = 0; time < 2; time++) {
      const client = await open()
      const { file } = await finished(client, { ...IMAGE, input: { prompt: 'a lighthouse', size: '96x64' } })
      const response = await client.send(file)
      const bytes = Buffer.from(await response.arrayBuffer()).toString('base64')
      seen.push(`${response.headers.get('etag')} ${bytes}`)
    }
    expect(new Set(seen).size).toBe(1)
  })

  it('is a picture of the requested size and format, and needs no API key', async () => {
    const client = await open()
    const input = { prompt: 'a lighthouse', size: '320x200', output_format: 'jpg' }
    const { file } = await finished(client, { ...IMAGE, input })
    expect(file).toMatch(/\/0\.jpg\?/)
    const response = await client.send(file)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    const { width, height, format } = await sharp(await response.arrayBuffer()).metadata()
    expect({ width, height, format }).toEqual({ width: 320, height: 200, format: 'jpeg' })
  })

  it.each([
    ['video', VIDEO, 'video/mp4', 4, 'ftyp'],
    ['audio', { ...AUDIO, input: { format: 'wav' } }, 'audio/wav', 0, 'RIFF'],
  ])('is a real %s', async (_, body, type, at, magic) => {
    const client = await open()
    const { file } = await finished(client, body)
    const response = await client.send(file)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, type])
    expect(Buffer.from(await response.arrayBuffer()).toString('latin1', at, at + 4)).toBe(magic)
  })

  it('has one file for each requested image', async () => {
    const client = await open()
    const { id } = await finished(client, {
      ...IMAGE,
      input: { n: 3, image_size: { width: 64, height: 64 } },
    })
    const { body } = await client.get(`/api/v1/tasks/${id}`)
    expect(body.output.images).toHaveLength(3)
    expect(body.cost_usd).toBe(0.12)
    const { pathname, search } = new URL(body.output.images[2])
    expect((await client.send(pathname + search)).status).toBe(200)
    expect((await client.send(pathname.replace('2.png', '3.png') + search)).status).toBe(404)
  })

  it('is rejected once its URL has expired, and served under a fresh one', async () => {
    const client = await open()
    const { id, file } = await finished(client, IMAGE)
    await client.sim.clock.advance('24h')
    const late = await client.send(file)
    expect(late.status).toBe(403)
    expect((await read(late)).body.error).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('expired'),
    })
    const { body } = await client.get(`/api/v1/tasks/${id}`)
    expect((await client.send(fileOf(body.output))).status).toBe(200)
  })

  it('is rejected if any part of its URL was changed', async () => {
    const client = await open()
    const { file } = await finished(client, IMAGE)
    const { file: other } = await finished(client, IMAGE)
    const changed = [
      file.replace(/expires=\d/, 'expires=9'),
      file.replace(/signature=./, 'signature=Z'),
      file.split('?')[0] as string,
      `${other.split('?')[0]}?${file.split('?')[1]}`,
    ]
    for (const path of changed) {
      const response = await client.send(path)
      expect(response.status).toBe(403)
      expect((await read(response)).body.error.message).toContain('signature')
    }
  })

  it('is gone after 30 days, and so is the output of its task', async () => {
    const client = await open({ scenario: { outputs: { lifetime: '60d' } } })
    const { id, file } = await finished(client, IMAGE)
    await client.sim.clock.advance('30d')
    const response = await client.send(file)
    expect(response.status).toBe(410)
    expect((await read(response)).body.error.code).toBe('output_expired')
    const { body } = await client.get(`/api/v1/tasks/${id}`)
    expect(body).toMatchObject({ status: 'succeeded' })
    expect(body).not.toHaveProperty('output')
  })

  it('does not exist before its task has succeeded', async () => {
    const { post, send } = await open()
    const { id } = (await post('/api/v1/tasks', IMAGE)).body
    expect((await send(`/files/${id}/0.png`)).status).toBe(404)
    expect((await send('/files/task_000000000000000000000000/0.png')).status).toBe(404)
  })
})
