import { type Call, contentOf, parseResponse } from '../client/call.js'
import { Control } from '../client/control.js'
import type { ApiRequest } from '../exchange/exchange.js'
import type { Simulator } from '../simulator/simulator.js'
import { answer } from './api.js'

/** Creates a client of the control API of a simulator in this process. It sends nothing over the network. */
export function controlOf(sim: Simulator): Control {
  return new Control(callIn(sim))
}

/**
 * Creates a function that sends requests to the control API of a simulator in this process.
 * @param origin the start of the URLs in answers, if the simulator is also served over HTTP
 */
export function callIn(sim: Simulator, origin = ''): Call {
  return async (method, path, body) => {
    const { status, headers, body: text } = await answer(sim, requestOf(method, `/_sim${path}`, body, origin))
    return parseResponse(status, headers['content-type'] ?? '', String(text ?? ''))
  }
}

function requestOf(
  method: string,
  target: string,
  body: object | string | undefined,
  origin: string,
): ApiRequest {
  const [path = '', query = ''] = target.split('?')
  const content = body === undefined ? undefined : contentOf(body)
  return {
    method,
    path,
    query,
    origin,
    header: (name) => (name === 'content-type' ? content?.type : undefined),
    body: async () => new TextEncoder().encode(content?.text ?? '{}'),
  }
}
