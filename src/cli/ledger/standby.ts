import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json, type Reply } from '../../exchange/exchange.js'
import { Problem } from '../../exchange/problem.js'
import { refuse } from '../../hosts/api.js'
import { bind } from '../../hosts/express/bind.js'
import type { StandBy } from '../../ledger/lead-ledger.js'
import { waitForLead } from '../../ledger/wait-for-lead.js'
import type { Simulator } from '../../simulator/simulator.js'
import { errorText } from '../errors.js'
import { loadSimulator } from '../load-simulator.js'
import { type LogFormat, ServerLog } from '../log.js'
import type { SimulatorArguments } from '../options/server-options.js'
import { colors, flush } from '../output.js'

/** The arguments of a server that can be a standby. */
type StandbyArguments = SimulatorArguments & { readonly port: number; readonly host: string }

/** Answers requests in place of a server, until this process leads the ledger of that server. */
export class Standby {
  readonly #args: StandbyArguments
  readonly #format: LogFormat
  readonly #stopped: () => Promise<void>
  #server: StandbyServer | undefined

  /** @param stopped resolves when the process ends */
  constructor(args: StandbyArguments, format: LogFormat, stopped: () => Promise<void>) {
    this.#args = args
    this.#format = format
    this.#stopped = stopped
  }

  /** Answers requests from now on, and resolves when this process leads the ledger or ends. */
  readonly standBy: StandBy = async (ledger, shown) => {
    // No request reaches this simulator. It only knows the dialects.
    const { sim } = await loadSimulator({ ...this.#args, handlers: undefined, otel: false })
    this.#server = await serveStandby(sim, this.#args)
    const { url } = this.#server
    const stop = new AbortController()
    void this.#stopped().then(() => stop.abort())
    const { bold, cyan } = colors
    new ServerLog(sim, this.#format).event(
      'standby',
      () => ({ url, ledger: shown }),
      () => `${bold('tasksim')} is a standby at ${cyan(url)}: another process leads the ledger ${shown}.`,
    )
    flush()
    return waitForLead(ledger, stop.signal, (error) => process.stderr.write(`tasksim: ${errorText(error)}\n`))
  }

  /** Stops answering. @returns the port on which it answered; undefined if it never did */
  async leave(): Promise<number | undefined> {
    const left = this.#server
    this.#server = undefined
    await left?.close()
    return left?.port
  }
}

/** The server of a standby. */
interface StandbyServer {
  /** Its address, such as http://127.0.0.1:4010. */
  readonly url: string
  readonly port: number
  /** Stops listening, and closes all connections and the simulator. */
  close(): Promise<void>
}

/**
 * Serves a standby: every request gets 503 in the form of its dialect, so that a load balancer tries another server.
 * Only `/_sim/health` gets 200.
 * @param sim knows the dialects; no request reaches it
 * @throws UsageError if the address is not available
 */
export async function serveStandby(
  sim: Simulator,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<StandbyServer> {
  const server = createServer((request, response) => {
    void replyTo(sim, request).then((reply) => send(request, response, reply))
  })
  const { family, address, port: actual } = await bind(server, port, host)
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`,
    port: actual,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      sim.close()
    },
  }
}

async function replyTo(sim: Simulator, { method = 'GET', url = '/' }: IncomingMessage): Promise<Reply> {
  const [path = '/'] = url.split('?')
  if (path === '/_sim/health') return json(200, { status: 'ok' })
  await sim.dialects.loadFor(path)
  const message =
    'This server is a standby: another process leads its ledger. Try again, or send the request to that server.'
  return refuse(sim, { method, path }, new Problem('unavailable', message, { retryAfter: 1_000 }))
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: Reply): void {
  // The client has to connect again, perhaps to the next leader.
  response.writeHead(status, { ...headers, ...redirection(request), connection: 'close' })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** The name of a location in the configuration of nginx. */
const LOCATION = /^@\w{1,50}$/

/**
 * Makes nginx try another server if its request names a location for this in `X-Sim-Standby`. The alternative,
 * `proxy_next_upstream http_503`, would also apply to answers of the leader, such as those of faults.
 */
function redirection({ headers }: IncomingMessage): Record<string, string> {
  const location = headers['x-sim-standby']
  return typeof location === 'string' && LOCATION.test(location) ? { 'x-accel-redirect': location } : {}
}
