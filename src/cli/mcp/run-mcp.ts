import { once } from 'node:events'
import type { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { callTo } from '../../client/connect.js'
import { httpUrl } from '../../engine/webhooks/receivers/receiver.js'
import { listen, type RunningServer } from '../../hosts/express/listen.js'
import { callIn } from '../../hosts/in-process.js'
import { errorText } from '../errors.js'
import { type LoadedSimulator, loadSimulator } from '../load-simulator.js'
import {
  type AccessArguments,
  accessOf,
  checkSimulatorOptions,
  type SimulatorArguments,
} from '../options/server-options.js'
import { exitSoon, stopSignal } from '../signals.js'
import { VERSION } from '../version.js'
import { openHttp } from './http.js'
import type { McpArguments } from './mcp-options.js'
import { createMcpServer } from './mcp-server.js'
import type { NewSimulator, Session } from './tools/tool.js'

/** Serves the tools until the assistant or a signal ends it. Only the protocol may write to stdout. */
export async function runMcp(args: McpArguments): Promise<void> {
  const stopped = stopSignal()
  const session =
    args.server === undefined
      ? await openOwnSession(args)
      : await openRemoteSession(args.server, args['control-token'])
  const create = () => createMcpServer(session, VERSION)
  try {
    if (args.http === undefined) {
      const { ended, close } = openStdio(create)
      report(`The simulator is at ${session.origin}/api/v1. The tools are on stdin and stdout.`)
      await Promise.race([stopped, ended])
      await close()
    } else {
      const { url, close } = await openHttp(create, args.http)
      report(`The simulator is at ${session.origin}/api/v1. The tools are at ${url}.`)
      await stopped
      await close()
    }
  } finally {
    await session.close()
    // A module of the user may keep the process alive.
    exitSoon()
  }
}

function report(line: string): void {
  process.stderr.write(`tasksim: ${line}\n`)
}

/** The arguments of a simulator in this process. */
type OwnArguments = SimulatorArguments & AccessArguments & { readonly port: number }

/**
 * Starts a simulator in this process, and serves it on this machine.
 * @throws UsageError if a setting is unusable; ScenarioError with every mistake in the scenario
 */
export async function openOwnSession(args: OwnArguments): Promise<Session> {
  let current = await serve(await load(args), args, args.port)
  const { origin } = new URL(current.server.baseUrl)
  let last: Promise<unknown> = Promise.resolve()
  const cases = new Set<string>()
  return {
    call: (...request) => callIn(current.loaded.sim, origin)(...request),
    origin,
    cases,
    restart(settings) {
      const restarted = last.then(() => restart(settings))
      last = restarted.catch(() => {})
      return restarted
    },
    async close() {
      await last
      await current.server.close()
      await end(current.loaded)
    },
  }

  async function restart(settings: NewSimulator): Promise<void> {
    const changed: OwnArguments = { ...args, ...settings }
    checkSimulatorOptions(changed)
    const loaded = await load(changed)
    const previous = current
    const port = Number(new URL(origin).port)
    // Both need the same port.
    await previous.server.close()
    try {
      current = await serve(loaded, args, port)
    } catch (error) {
      await end(loaded)
      current = await serve(previous.loaded, args, port)
      throw error
    }
    cases.clear()
    await end(previous.loaded)
  }
}

/**
 * Opens a session with a server that runs elsewhere.
 * @throws UsageError if the server cannot be reached; ControlError if it rejects the token
 */
export async function openRemoteSession(url: string, token: string | undefined): Promise<Session> {
  const call = callTo(url, token === undefined ? {} : { token })
  await call('GET', '/state')
  const { origin } = new URL(httpUrl(url) ?? url)
  return { call, origin, cases: new Set(), async close() {} }
}

interface Served {
  readonly loaded: LoadedSimulator
  readonly server: RunningServer
}

async function load(args: OwnArguments): Promise<LoadedSimulator> {
  const loaded = await loadSimulator(args)
  loaded.sim.on('error', (error) => process.stderr.write(`tasksim: ${errorText(error)}\n`))
  loaded.logHandlerErrors()
  return loaded
}

async function serve(loaded: LoadedSimulator, args: OwnArguments, port: number): Promise<Served> {
  const { sim, overrides } = loaded
  const server = await listen(sim, { port, ...accessOf(args), ...(overrides && { overrides }) })
  return { loaded, server }
}

async function end({ sim, telemetry }: LoadedSimulator): Promise<void> {
  sim.close()
  await telemetry?.shutdown()
}

/**
 * Serves the protocol on stdin and stdout.
 * @param create creates a server for the connection
 * @returns closes the connection; `ended` resolves when the client has closed stdin
 */
function openStdio(create: () => McpServer): {
  readonly ended: Promise<void>
  close(): Promise<void>
} {
  // Listen first: stdin may end at once.
  const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]).then(() => {})
  const handle = serveStdio(create, {
    onerror: ({ message }) => process.stderr.write(`tasksim: ${message}\n`),
  })
  return { ended, close: () => handle.close() }
}
