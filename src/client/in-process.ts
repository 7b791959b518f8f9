import { answer } from '../api.js'
import type { ApiRequest } from '../http/exchange/exchange.js'
import type { Simulator } from '../simulator.js'
import { parseResponse } from './connect.js'
import { Control } from './control.js'

/** Creates a client of the control API of a simulator in this process. It sends nothing over the network. */
export function controlOf(sim: Simulator): Control {
  return new Control(async (method, path, body) => {
    const { status, headers, body: text } = await answer(sim, requestOf(method, `/_sim${path}`, body))
    return parseResponse(status, headers['content-type'] ?? '', String(text ?? ''))
  })
}

function requestOf(method: string, target: string, body: object | undefined): ApiRequest {
  const [path = '', query = ''] = target.split('?')
  return {
    method,
    path,
    query,
    origin: '',
    header: (name) => (name === 'content-type' && body !== undefined ? 'application/json' : undefined),
    body: async () => new TextEncoder().encode(JSON.stringify(body ?? {})),
  }
}
