import { expect, it } from 'vitest'
import type { Download } from '../../src/index.js'
import { type Client, describeHosts, type Open, read } from './hosts.js'

const BYTES = Uint8Array.from({ length: 1_000 }, (_, index) => index % 251)
const LENGTH = String(BYTES.length)

/** Returns a client and the path of a finished file with {@link BYTES}. */
async function file(open: Open): Promise<{ client: Client; path: string; id: string }> {
  const client = await open({ renderer: { render: async () => BYTES } })
  const { id } = (await client.post('/api/v1/tasks', { model: 'acme/image-1', input: {} })).body
  await client.sim.clock.advance('10s')
  const { pathname, search } = new URL((await client.get(`/api/v1/tasks/${id}`)).body.output.images[0])
  return { client, path: pathname + search, id }
}

describeHosts('a file from the CDN', (open) => {
  it('has a type, a length, and headers that allow pages to read it', async () => {
    const { client, path, id } = await file(open)
    const { status, headers } = await client.send(path)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': LENGTH,
      'content-disposition': `inline; filename="${id}-0.png"`,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'content-security-policy': expect.stringMatching(
        /^sandbox; default-src 'none'; style-src 'unsafe-inline';/,
      ),
      'last-modified': 'Thu, 01 Jan 2026 00:00:02 GMT',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('Content-Range'),
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
    })
  })

  it('answers HEAD with the same headers and no body', async () => {
    const { client, path } = await file(open)
    const [get, head] = [await client.send(path), await client.send(path, { method: 'HEAD' })]
    expect(head.status).toBe(200)
    expect((await head.arrayBuffer()).byteLength).toBe(0)
    for (const name of ['content-type', 'content-length', 'etag', 'accept-ranges', 'content-disposition'])
      expect(head.headers.get(name)).toBe(get.headers.get(name))
  })

  it.each([
    ['bytes=0-99', 0, 99],
    ['bytes=900-', 900, 999],
    ['bytes=-10', 990, 999],
    ['bytes=-5000', 0, 999],
    ['bytes=990-5000', 990, 999],
    ['bytes = 0 - 0', 0, 0],
  ])('returns the part %s', async (range, first, last) => {
    const { client, path } = await file(open)
    const response = await client.send(path, { headers: { range } })
    expect([response.status, response.headers.get('content-range')]).toEqual([
      206,
      `bytes ${first}-${last}/${LENGTH}`,
    ])
    expect(response.headers.get('content-length')).toBe(String(last - first + 1))
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(BYTES.slice(first, last + 1))
  })

  it.each(['bytes=0-1,5-9', 'bytes=9-5', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes=1-2-3', ''])(
    'returns all of it if the range %j is invalid or has several parts',
    async (range) => {
      const { client, path } = await file(open)
      const response = await client.send(path, { headers: { range } })
      expect([response.status, response.headers.get('content-length')]).toEqual([200, LENGTH])
      expect(response.headers.has('content-range')).toBe(false)
    },
  )

  it.each(['bytes=1000-', 'bytes=99999999999999999999-', 'bytes=-0'])(
    'rejects the empty range %s',
    async (range) => {
      const { client, path } = await file(open)
      const response = await client.send(path, { headers: { range } })
      expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${LENGTH}`])
      expect((await read(response)).body.error.code).toBe('range_not_satisfiable')
    },
  )

  it('returns a part only if the client has the same version', async () => {
    const { client, path } = await file(open)
    const { headers } = await client.send(path)
    const ask = async (version: string | null) => {
      const response = await client.send(path, { headers: { range: 'bytes=0-9', 'if-range': version ?? '' } })
      return response.status
    }
    expect(await ask(headers.get('etag'))).toBe(206)
    expect(await ask(headers.get('last-modified'))).toBe(206)
    expect(await ask('"another"')).toBe(200)
    expect(await ask('Thu, 01 Jan 2020 00:00:00 GMT')).toBe(200)
  })

  it('is not sent again to a client that already has it', async () => {
    const { client, path } = await file(open)
    const etag = (await client.send(path)).headers.get('etag') ?? ''
    for (const [name, value, status] of [
      ['if-none-match', etag, 304],
      ['if-none-match', `W/"x", W/${etag}`, 304],
      ['if-none-match', '*', 304],
      ['if-none-match', '"another"', 200],
      ['if-modified-since', 'Thu, 01 Jan 2026 00:00:02 GMT', 304],
      ['if-modified-since', 'Thu, 01 Jan 2026 00:00:01 GMT', 200],
      ['if-modified-since', 'yesterday', 200],
    ] as const) {
      const response = await client.send(path, { headers: { [name]: value } })
      expect([name, value, response.status]).toEqual([name, value, status])
      expect(response.headers.get('etag')).toBe(etag)
    }
  })

  it('answers the preflight of a page from another origin, which can also read errors', async () => {
    const { client, path } = await file(open)
    const preflight = await client.send(path, { method: 'OPTIONS' })
    expect(preflight.status).toBe(204)
    expect(Object.fromEntries(preflight.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': expect.stringContaining('Range'),
    })
    const refused = await client.send(path.replace(/signature=./, 'signature=Z'))
    expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, '*'])
    const wrong = await client.send(path, { method: 'DELETE' })
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, OPTIONS, HEAD'])
  })

  it('exists only under its own name', async () => {
    const { client, path } = await file(open)
    for (const other of ['0.jpg', '00.png', '0.gif', '1.png'])
      expect((await client.send(path.replace('0.png', other))).status).toBe(404)
  })

  it('records every download, granted or not, without needing an API key', async () => {
    const { client, path, id } = await file(open)
    const downloads: Download[] = []
    client.sim.on('file.downloaded', (download) => downloads.push(download))
    await client.send(path, { headers: { authorization: 'Bearer k' } })
    await client.send(path, { headers: { range: 'bytes=0-9' } })
    await client.send(path, { method: 'HEAD' })
    await client.sim.clock.advance('25h')
    await client.send(path)
    const at = Date.parse('2026-01-01T00:00:10Z')
    const one = { taskId: id, file: 0, method: 'GET', range: undefined, withAuthorization: false, at }
    expect(downloads).toEqual([
      { ...one, status: 200, bytes: 1_000, withAuthorization: true },
      { ...one, status: 206, bytes: 10, range: 'bytes=0-9' },
      { ...one, status: 200, bytes: 0, method: 'HEAD' },
      { ...one, status: 403, bytes: 0, at: at + 25 * 3_600_000 },
    ])
  })
})
