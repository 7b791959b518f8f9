import type { ApiRequest } from '../../src/exchange/exchange.js'
import { createBody, KEY } from './traffic.js'

const encoder = new TextEncoder()
const NO_BODY = new Uint8Array()

const HEADERS: Readonly<Record<string, string>> = {
  authorization: `Bearer ${KEY}`,
  'content-type': 'application/json',
}

/** Returns the request that creates the task with this number, without a host. */
export function createRequest(number: number): ApiRequest {
  return request('POST', '/api/v1/tasks', encoder.encode(createBody(number)))
}

/** Returns the request that polls a task, without a host. */
export function pollRequest(id: string): ApiRequest {
  return request('GET', `/api/v1/tasks/${id}`, NO_BODY)
}

/** Returns the request for a page of the list of tasks, without a host. */
export function listRequest(query: string): ApiRequest {
  return request('GET', '/api/v1/tasks', NO_BODY, query)
}

function request(method: string, path: string, bytes: Uint8Array, query = ''): ApiRequest {
  return {
    method,
    path,
    query,
    origin: 'http://127.0.0.1:4010',
    header: (name) => HEADERS[name],
    headers: () => HEADERS,
    body: async () => bytes,
  }
}
