import { type Call, contentOf, parseResponse } from '../client/call.js'
import { Control } from '../client/control.js'
import { ownRequest } from '../control/own-request.js'
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
  return async (method, target, given) => {
    const [path = '', query = ''] = target.split('?')
    const { type, text } = given === undefined ? { type: '', text: '{}' } : contentOf(given)
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type }
    const request = ownRequest({ method, path: `/_sim${path}`, query, origin, headers, body: text })
    const { status, headers: received, body } = await answer(sim, request)
    return parseResponse(status, received['content-type'] ?? '', String(body ?? ''))
  }
}
