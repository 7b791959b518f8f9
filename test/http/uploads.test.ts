import { expect, it } from 'vitest'
import { type Client, describeHosts, read } from './hosts.js'

type Uploading = Pick<Client['sim'], 'uploads'>

/** Keeps a file, and returns the path and query of its URL. */
async function uploaded(
  { sim, origin }: Pick<Client, 'origin'> & { sim: Uploading },
  fields: { name?: string; contentType?: string } = {},
) {
  const bytes = new TextEncoder().encode('0123456789')
  const file = { owner: 'sk_live_local', name: 'notes.txt', contentType: 'text/plain', bytes, ...fields }
  const uploads = await sim.uploads()
  const upload = await uploads.add(file)
  return { uploads, upload, path: uploads.urls.of(upload, origin).slice(origin.length) }
}

describeHosts('an uploaded file', (open) => {
  it('is served whole and in part under its signed URL, without an API key', async () => {
    const client = await open()
    const { path } = await uploaded(client)
    const whole = await client.send(path)
    expect([whole.status, await whole.text()]).toEqual([200, '0123456789'])
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'text/plain',
      'content-disposition': 'inline; filename="notes.txt"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'access-control-allow-origin': '*',
    })
    const part = await client.send(path, { headers: { range: 'bytes=2-4' } })
    expect([part.status, await part.text()]).toEqual([206, '234'])
    const etag = whole.headers.get('etag') ?? ''
    expect((await client.send(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  it('can have any name', async () => {
    const client = await open()
    const { path } = await uploaded(client, { name: 'Ä/"100%"?#.html', contentType: 'text/html\r\nx: y' })
    const response = await client.send(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
    expect(response.headers.get('content-disposition')).toBe(
      `inline; filename="_/_100%_?#.html"; filename*=UTF-8''%C3%84%2F%22100%25%22%3F%23.html`,
    )
  })

  it('is rejected under a changed or expired URL, and unknown after its deletion', async () => {
    const client = await open()
    const { path, upload, uploads } = await uploaded(client)
    expect((await client.send(path.replace(/signature=./, 'signature=Z'))).status).toBe(403)
    expect((await client.send(path.replace('notes', 'other'))).status).toBe(404)
    await client.sim.clock.advance('24h')
    const late = await client.send(path)
    expect(late.status).toBe(403)
    expect((await read(late)).body.error.message).toContain('expired')
    uploads.delete(upload.id)
    expect((await client.send(path)).status).toBe(404)
  })

  it('of a sandbox is served by that sandbox', async () => {
    const client = await open()
    const { sim } = client.sim.createSandbox()
    const { path } = await uploaded({ sim, origin: client.origin })
    expect(path).toMatch(/^\/files\/sb_1\/uploads\//)
    expect((await client.send(path)).status).toBe(200)
  })
})
