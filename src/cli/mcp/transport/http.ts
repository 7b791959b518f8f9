import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server'
import { type AccessRules, accessCheck } from '../../../hosts/express/access.js'
import { bind } from '../../../hosts/express/bind.js'
import { LOOPBACK_HOSTS } from '../../../hosts/express/host-names.js'

const HOST = '127.0.0.1'
const PATH = '/mcp'

/** Web pages could otherwise use the server on their visitor's machine, directly or after DNS rebinding. */
const RULES: AccessRules = {
  acceptsHost: (name = '') => LOOPBACK_HOSTS.includes(name),
  acceptsOrigin: () => false,
  rejectedHost: (name) =>
    `The MCP server cannot be reached as ${name.slice(0, 100) || 'a server without a name'}. Use one of ${LOOPBACK_HOSTS.join(', ')}.`,
  rejectedOrigin: (origin) => `Pages of ${origin} may not use the MCP server.`,
}

/** A running server of the protocol. */
export interface HttpEndpoint {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the protocol over streamable HTTP, for programs on this machine.
 * @param create creates a server for each request
 * @throws UsageError if the port is not available
 */
export async function openHttp(create: () => McpServer, port: number): Promise<HttpEndpoint> {
  const check = accessCheck(RULES)
  const handler = createMcpHandler(create, {
    onerror: ({ message }) => process.stderr.write(`tasksim: ${message}\n`),
  })
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const problem = check({
      method: request.method ?? '',
      query: '',
      header: (name) => headerOf(request, name),
    })
    if (problem !== undefined) return refuse(response, 403, problem.message)
    const { pathname } = new URL(request.url ?? '/', `http://${HOST}`)
    if (pathname !== PATH) return refuse(response, 404, `The MCP server is at ${PATH}, not at ${pathname}.`)
    await sendResponse(await handler.fetch(webRequest(request, response)), response)
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      process.stderr.write(`tasksim: ${error instanceof Error ? error.message : error}\n`)
      response.destroy()
    })
  })
  const { port: actual } = await bind(server, port, HOST)
  return {
    url: `http://${HOST}:${actual}${PATH}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      await handler.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name]
  return Array.isArray(value) ? value.join(', ') : value
}

function refuse(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message } })
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

/** Converts a request of node:http to one of the Fetch API. It is aborted if the client disconnects. */
function webRequest(request: IncomingMessage, response: ServerResponse): Request {
  const { method = 'GET', url = '/', headers } = request
  const disconnected = new AbortController()
  response.once('close', () => disconnected.abort())
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    signal: disconnected.signal,
    ...(hasBody && { body: Readable.toWeb(request) as BodyInit, duplex: 'half' }),
  })
}

/** Sends a response of the Fetch API, also if its body is an endless stream. */
async function sendResponse(from: Response, to: ServerResponse): Promise<void> {
  to.writeHead(from.status, Object.fromEntries(from.headers))
  if (from.body === null) {
    to.end()
    return
  }
  to.flushHeaders()
  try {
    await pipeline(Readable.fromWeb(from.body as ReadableStream), to)
  } catch (error) {
    // The client may disconnect during a stream.
    if (!to.destroyed) throw error
  }
}
