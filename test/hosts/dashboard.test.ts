import { existsSync } from 'node:fs'
import express from 'express'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApp, listen } from '../../src/hosts/express/index.js'
import { createSimulator } from '../../src/index.js'

const isBuilt = existsSync(new URL('../../dist/dashboard/index.html', import.meta.url))

async function serve(options: Parameters<typeof listen>[1] = {}): Promise<string> {
  const sim = createSimulator({ clock: 'manual' })
  const { baseUrl, close } = await listen(sim, { port: 0, ...options })
  onTestFinished(async () => {
    sim.close()
    await close()
  })
  return new URL(baseUrl).origin
}

describe.runIf(isBuilt)('the page of the dashboard', () => {
  it('is served with a strict policy, and its assets may be cached forever', async () => {
    const origin = await serve()
    const page = await fetch(`${origin}/_sim/`)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    expect(page.headers.get('cache-control')).toBe('no-cache')
    const [, script = ''] = /src="\.\/(assets\/[^"]+\.js)"/.exec(await page.text()) ?? []
    const asset = await fetch(`${origin}/_sim/${script}`)
    expect([asset.status, asset.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(asset.headers.get('cache-control')).toContain('immutable')
    expect((await fetch(`${origin}/_sim/`, { method: 'HEAD' })).status).toBe(200)
  })

  it.each([
    'assets/..%2findex.html',
    'assets/none.js',
    'assets/',
    'assets/%2e%2e/licenses.md',
    'licenses.md',
  ])('consists only of its own files: %s is not found', async (path) => {
    expect((await fetch(`${await serve()}/_sim/${path}`)).status).toBe(404)
  })

  it('comes with the schema of scenarios, for its editor and for others', async () => {
    const schema = await fetch(`${await serve()}/_sim/scenario.schema.json`)
    expect([schema.status, schema.headers.get('content-type')]).toEqual([200, 'application/schema+json'])
    expect(await schema.json()).toMatchObject({ properties: { faults: { type: 'array' } } })
  })

  it('is the target of a redirect from the root for a browser, and not for a program', async () => {
    const origin = await serve()
    const accept = { accept: 'text/html,application/xhtml+xml' }
    const redirected = await fetch(origin, { headers: accept, redirect: 'manual' })
    expect([redirected.status, redirected.headers.get('location')]).toEqual([302, '/_sim/'])
    expect((await fetch(origin)).status).toBe(404)
    const bare = await fetch(`${origin}/_sim?token=t`, { redirect: 'manual' })
    expect(bare.headers.get('location')).toBe('/_sim/?token=t')
  })

  it('needs no token, unlike its API requests', async () => {
    const origin = await serve({ host: '0.0.0.0', controlToken: 'secret' })
    const local = origin.replace('0.0.0.0', '127.0.0.1')
    expect((await fetch(`${local}/_sim/`)).status).toBe(200)
    expect((await fetch(`${local}/_sim/state`)).status).toBe(401)
  })

  it('is under the path of the mounted app, and the root of that path belongs to the parent app', async () => {
    const sim = createSimulator({ clock: 'manual' })
    const app = express()
      .use('/fake', createApp(sim))
      .get('/fake', (_, response) => void response.send('own'))
    const server = app.listen(0)
    onTestFinished(() => {
      sim.close()
      server.close()
      server.closeAllConnections()
    })
    const { port } = server.address() as { port: number }
    expect((await fetch(`http://127.0.0.1:${port}/fake/_sim/`)).status).toBe(200)
    const own = await fetch(`http://127.0.0.1:${port}/fake`, { headers: { accept: 'text/html' } })
    expect(await own.text()).toBe('own')
  })
})
