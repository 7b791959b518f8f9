/** A receiver in a process of its own, as a user would write it: it verifies every webhook, and counts. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerParent } from '../worker.js'

const SECRET = 'whsec_local_signing_secret'

/** What has come so far. */
export interface Tally {
  readonly received: number
  readonly forged: number
  /** The task of each, once. */
  readonly ids: readonly string[]
}

let received = 0
let forged = 0
const ids = new Set<string>()

function isGenuine(body: Buffer, signature: unknown): boolean {
  const expected = createHmac('sha256', SECRET).update(body).digest()
  const given = Buffer.from(String(signature), 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    received += 1
    if (isGenuine(body, request.headers['x-service-signature'])) ids.add(JSON.parse(body.toString()).task.id)
    else forged += 1
    response.writeHead(200, { 'content-length': 0 }).end()
  })
})

function forget(): void {
  received = 0
  forged = 0
  ids.clear()
}

const url = new Promise<string>((resolve) => {
  server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
})
answerParent({
  url: () => url,
  received: () => received,
  tally: (): Tally => ({ received, forged, ids: [...ids] }),
  forget,
})
