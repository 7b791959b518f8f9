import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { createMcpServer } from '../../../src/cli/mcp/mcp-server.js'
import { openRemoteSession } from '../../../src/cli/mcp/run-mcp.js'
import { listen } from '../../../src/hosts/express/index.js'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../../src/index.js'

/** A simulator, and a client of its tools in this process. */
export interface Connected {
  readonly sim: Simulator
  /** The address of the simulator. */
  readonly origin: string
  readonly client: Client
  /** Calls a tool that must succeed, and parses its result if it is JSON. */
  call(name: string, given?: Record<string, unknown>): Promise<ReturnType<JSON['parse']>>
  /** Calls a tool that must fail, and returns the message. */
  failure(name: string, given?: Record<string, unknown>): Promise<string>
}

/** Connects a client to the tools of a simulator that is served over HTTP. */
export async function connectTools(options: SimulatorOptions = {}): Promise<Connected> {
  const sim = createSimulator({ clock: 'manual', ...options })
  const server = await listen(sim, { port: 0 })
  const { origin } = new URL(server.baseUrl)
  const [near, far] = InMemoryTransport.createLinkedPair()
  await createMcpServer(await openRemoteSession(origin, undefined), '0.0.0').connect(far)
  const client = new Client({ name: 'test', version: '0.0.0' })
  await client.connect(near)
  onTestFinished(async () => {
    await client.close()
    sim.close()
    await server.close()
  })
  return { sim, origin, client, ...callsOf(client) }
}

/** Calls tools with a client. */
export function callsOf(client: Client): Pick<Connected, 'call' | 'failure'> {
  const textOf = async (name: string, given: Record<string, unknown>, isError: boolean) => {
    const result = await client.callTool({ name, arguments: given })
    const [content] = result.content
    const text = content?.type === 'text' ? content.text : ''
    if ((result.isError ?? false) !== isError) throw new Error(`${name} answered: ${text}`)
    return text
  }
  return {
    async call(name, given = {}) {
      const text = await textOf(name, given, false)
      return /^[[{"]/.test(text) ? JSON.parse(text) : text
    },
    failure: (name, given = {}) => textOf(name, given, true),
  }
}

/** Creates a task as the app under test would. @returns the response */
export function createTask(origin: string, model = 'acme/image-1', prompt = 'waves'): Promise<Response> {
  return fetch(`${origin}/api/v1/tasks`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_live_secret_of_the_app', 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: { prompt } }),
  })
}
