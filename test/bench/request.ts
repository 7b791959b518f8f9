import { type Agent, request } from 'node:http'

/** A request to a server on this machine. */
export interface RequestOptions {
  readonly agent: Agent
  readonly port: number
  readonly method: string
  readonly path: string
  readonly key: string
  readonly body?: string
  /** Milliseconds after which the request is aborted; unlimited by default. */
  readonly patience?: number
}

/** An answer. */
export interface RawAnswer {
  readonly status: number
  readonly text: string
}

/** Sends a request and reads the whole answer. Rejects if there is no complete answer. */
export function send({ agent, port, method, path, key, body, patience }: RequestOptions): Promise<RawAnswer> {
  const headers = { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) }
  const signal = patience === undefined ? undefined : AbortSignal.timeout(patience)
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path, method, headers, agent, signal },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
      },
    )
    outgoing.on('error', reject).end(body)
  })
}
