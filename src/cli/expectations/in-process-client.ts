import type { ServiceRequest } from '../../dialects/requests/service-request.js'
import { startTimer } from '../../engine/clock/system-clock.js'
import type { JsonObject } from '../../engine/json.js'
import type { ApiRequest } from '../../exchange/exchange.js'
import { answer } from '../../hosts/api.js'
import type { Simulator } from '../../simulator/simulator.js'

/** The origin of the simulated API. */
export const ORIGIN = 'http://127.0.0.1:4010'

/** A response. It has no status if the connection was lost. */
export interface Answered {
  readonly status: number | undefined
  readonly body: JsonObject
}

/** Sends a request to a simulator on a manual clock, and advances the clock while a fault delays the response. */
export async function callInProcess(
  sim: Simulator,
  { method, url, headers, body }: ServiceRequest,
): Promise<Answered> {
  const { pathname: path, search, origin } = new URL(url)
  const named = new Headers(headers)
  const request: ApiRequest = {
    method,
    path,
    query: search.slice(1),
    origin,
    header: (name) => named.get(name) ?? undefined,
    body: async () => new TextEncoder().encode(JSON.stringify(body)),
  }
  const { status, transmission, body: answered } = await waitFor(sim, Promise.resolve(answer(sim, request)))
  return transmission === undefined ? { status, body: parseBody(answered) } : { status: undefined, body: {} }
}

async function waitFor<Value>({ clock }: Simulator, work: Promise<Value>): Promise<Value> {
  for (;;) {
    const done = await Promise.race([
      work.then((value) => ({ value })),
      new Promise<undefined>((resolve) => startTimer(0, () => resolve(undefined), true)),
    ])
    if (done !== undefined) return done.value
    if (clock.next !== undefined) await clock.advanceTo(Math.max(clock.next, clock.now()))
  }
}

/** Parses a JSON body. Returns an empty object for any other body. */
function parseBody(body: unknown): JsonObject {
  try {
    return JSON.parse(String(body)) ?? {}
  } catch {
    return {}
  }
}
