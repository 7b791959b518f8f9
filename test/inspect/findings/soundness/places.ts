import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getResponse } from 'msw'
import type { Dialect } from '../../../../src/dialects/dialect.js'
import { functionTransport } from '../../../../src/engine/webhooks/attempts/transport.js'
import type { WebhookFormat } from '../../../../src/engine/webhooks/webhook-format.js'
import { listen } from '../../../../src/hosts/express/listen.js'
import { handlers } from '../../../../src/hosts/msw/index.js'
import { createSimulator, type ScenarioInput, type Simulator } from '../../../../src/index.js'
import type { Checked, Verdict } from '../../../../src/inspect/findings/verdict.js'
import { advanceUntilDone } from '../../../support/advance-until-done.js'

/** Where a client runs: over HTTP at a speed, or in process on the manual clock. */
export type Pace = 1 | 10 | 60 | 1000 | 'manual'

/** What a client has around it. */
export interface Place {
  readonly sim: Simulator
  readonly dialect: Dialect
  readonly webhooks: WebhookFormat
  /** The URL at which the client receives webhooks. */
  readonly hook: string
  /** The URL of a path of the service. */
  urlOf(origin: string, host: string, path: string): string
  /** Rejects, or returns an error response, if there is no answer. */
  send(request: Request): Promise<Response>
  sleep(milliseconds: number): Promise<void>
  /** Whether the client sleeps in real time. */
  readonly isReal: boolean
  /** Milliseconds on the clock on which the client sleeps. */
  now(): number
  /** Epoch milliseconds, as the client's `Date.now()`. */
  date(): number
  /** Milliseconds after which the client gives up a request. */
  readonly timeout: number
}

export interface Cell {
  readonly dialect: string
  readonly pace: Pace
  readonly scenario: ScenarioInput
  /** Whether the test ends with the client, while tasks may still run. */
  readonly endsWithClient?: boolean
}

type Handle = (request: Request, place: Place) => Promise<Response>

/** Rendering would take real time. */
const renderer = { render: async () => new Uint8Array(5_000) }

/** Runs a client in a cell until all of its tasks have ended, and judges it. */
export async function judge(
  cell: Cell,
  client: { run(place: Place): Promise<unknown>; handle: Handle },
): Promise<Verdict> {
  return cell.pace === 'manual' ? inProcess(cell, client) : overHttp(cell, cell.pace, client)
}

const HOOK = 'http://127.0.0.1:9/hooks'
/** The real time that an advance waits for a receiver: a busy machine must not make it give up. */
const PATIENCE = '30s'

async function inProcess(
  { dialect: name, scenario, endsWithClient }: Cell,
  client: Parameters<typeof judge>[1],
) {
  const sim = createSimulator({
    clock: 'manual',
    renderer,
    scenario,
    patience: PATIENCE,
    transport: functionTransport((request) => client.handle(request, place)),
  })
  const dialect = await sim.dialects.load(name)
  const own = name === 'tasks' ? handlers(sim) : handlers(sim, { dialect: name })
  const place: Place = {
    sim,
    dialect,
    webhooks: dialect.webhooks(sim.scenario),
    hook: HOOK,
    urlOf: (origin, _, path) => origin + path,
    send: async (request) => (await getResponse(own, request)) ?? Response.error(),
    sleep: (milliseconds) => sim.time.pause(milliseconds),
    isReal: false,
    now: () => sim.clock.now(),
    date: () => sim.clock.now(),
    timeout: 60_000,
  }
  try {
    await advanceUntilDone(sim, client.run(place))
    if (endsWithClient !== true) await sim.clock.runUntilIdle()
    return await sim.verdict({ final: true })
  } finally {
    sim.close()
  }
}

async function overHttp(
  { dialect: name, scenario, endsWithClient }: Cell,
  speed: number,
  client: Parameters<typeof judge>[1],
) {
  const receiver = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const headers = Object.entries(incoming.headers).map(([key, value]): [string, string] => [
      key,
      String(value),
    ])
    const request = new Request(place.hook, { method: 'POST', headers, body: Buffer.concat(chunks) })
    const answer = await client.handle(request, place)
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`
  const sim = createSimulator({ speed, renderer, scenario, patience: PATIENCE })
  const dialect = await sim.dialects.load(name)
  const server = await listen(sim, { port: 0 })
  const { origin } = new URL(server.baseUrl)
  const place: Place = {
    sim,
    dialect,
    webhooks: dialect.webhooks(sim.scenario),
    hook,
    urlOf: (_, host, path) => origin + (name === 'tasks' ? '' : `/${name}${host}`) + path,
    send: (request) => fetch(request),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    isReal: true,
    now: () => performance.now(),
    // A paused clock signs webhooks with its own time.
    date: () => (sim.clock.mode === 'manual' ? sim.clock.now() : Date.now()),
    timeout: 20_000,
  }
  try {
    await client.run(place)
    if (endsWithClient !== true) await ended(sim, place)
    return await sim.verdict({ final: true })
  } finally {
    sim.close()
    await server.close()
    receiver.closeAllConnections()
    receiver.close()
  }
}

/** Waits for the tasks that can end, and for their webhooks. */
async function ended(sim: Simulator, { sleep }: Place): Promise<void> {
  const isRunning = () =>
    [...sim.tasks.all()].some(
      ({ completedAt, plan }) => completedAt === undefined && plan.outcome !== 'stuck',
    )
  while (isRunning()) await sleep(50)
  sim.clock.freeze()
  await sim.clock.advance('5m')
  await sim.settled()
}

/** The result of a rule. */
export function stateOf({ checked }: Verdict, id: string): Checked {
  const found = checked.find((rule) => rule.id === id)
  if (found === undefined) throw new Error(`There is no rule ${id}`)
  return found
}
