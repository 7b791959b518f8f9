import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished } from 'vitest'
import { openHttp } from '../../../src/cli/mcp/http.js'
import { createMcpServer } from '../../../src/cli/mcp/mcp-server.js'
import { openRemoteSession } from '../../../src/cli/mcp/run-mcp.js'
import { listen } from '../../../src/hosts/express/index.js'
import { createSimulator } from '../../../src/index.js'
import { deepTest } from '../../support/deep.js'
import { folderWith, start } from '../run.js'
import { callsOf, createTask } from './connected.js'

/** Serves the tools of a simulator over HTTP. */
async function serveTools(): Promise<{ url: string; origin: string }> {
  const sim = createSimulator({ clock: 'manual' })
  const server = await listen(sim, { port: 0 })
  const { origin } = new URL(server.baseUrl)
  const session = await openRemoteSession(origin, undefined)
  const { url, close } = await openHttp(() => createMcpServer(session, '0.0.0'), 0)
  onTestFinished(async () => {
    await close()
    sim.close()
    await server.close()
  })
  return { url, origin }
}

/** Sends a request with headers that fetch does not allow. */
async function send(url: string, headers: Record<string, string>): Promise<{ status: number; body: string }> {
  const sent = request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } })
  sent.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, body: await text(response) }
}

it.each(['legacy', 'auto'] as const)('the tools work over HTTP (protocol: %s)', async (mode) => {
  const { url, origin } = await serveTools()
  const client = new Client({ name: 'test', version: '0.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  onTestFinished(() => client.close())
  const { call, failure } = callsOf(client)
  await call('fail_requests', { operation: 'tasks.create', fault: 503 })
  expect((await createTask(origin)).status).toBe(503)
  expect(await call('list_requests')).toMatchObject({ data: [{ status: 503 }] })
  expect(await failure('list_requests', { limit: 1_000 })).toContain('`limit` must be at most 50')
  const { tools } = await client.listTools()
  expect(tools.length).toBeGreaterThan(20)
})

it.each([
  [{ host: 'attacker.test' }, 'The MCP server cannot be reached as attacker.test. Use one of localhost'],
  [{ host: 'attacker.test:4010' }, 'cannot be reached as attacker.test'],
  [{ origin: 'https://attacker.test' }, 'Pages of https://attacker.test may not use the MCP server.'],
  [{ origin: 'null' }, 'Pages of null may not use'],
])('a request with the header %j is rejected, against DNS rebinding', async (headers, message) => {
  const { url } = await serveTools()
  const { status, body } = await send(url, headers)
  expect(status).toBe(403)
  expect(JSON.parse(body).error.message).toContain(message)
})

it('a request to another path is answered with the right one', async () => {
  const { url } = await serveTools()
  const { status, body } = await send(new URL('/sse', url).href, {})
  expect(status).toBe(404)
  expect(body).toContain('The MCP server is at /mcp, not at /sse.')
})

deepTest('--http prints both addresses, and SIGTERM ends the command', async () => {
  const { child, ended, stderr } = start(folderWith(), ['mcp', '--http', '0'])
  while (!stderr().includes('/mcp')) await once(child.stderr, 'data')
  const [, simulator = '', tools = ''] =
    /simulator is at (\S+)\/api\/v1\. The tools are at (\S+)\./.exec(stderr()) ?? []
  expect((await createTask(simulator)).status).toBe(200)
  expect((await fetch(tools, { method: 'OPTIONS' })).status).toBe(405)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
})
