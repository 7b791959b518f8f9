/** A receiver in a separate process that verifies and counts every webhook, like that of a user. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { serveHere } from '../../support/receiver.js'
import { answerParent } from '../worker.js'

const SECRET = 'whsec_local_signing_secret'

/** The webhooks so far. */
export interface Tally {
  readonly received: number
  /** The number of webhooks answered with a success. */
  readonly accepted: number
  readonly forged: number
  /** The id of each task, once. */
  readonly ids: readonly string[]
}

/** The share of webhooks that it rejects at random. */
const REFUSED = Number(process.argv[2] ?? 0)

let received = 0
let accepted = 0
let forged = 0
const ids = new Set<string>()

function isGenuine(body: Buffer, signature: unknown): boolean {
  const expected = createHmac('sha256', SECRET).update(body).digest()
  const given = Buffer.from(String(signature), 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** @returns the status to answer with */
function receive(body: Buffer, signature: unknown): number {
  if (!isGenuine(body, signature)) {
    forged += 1
    return 401
  }
  if (REFUSED > 0 && received % Math.round(1 / REFUSED) === 0) return 500
  accepted += 1
  ids.add(JSON.parse(body.toString()).task.id)
  return 200
}

const { origin } = await serveHere((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks)
    received += 1
    response.writeHead(receive(body, request.headers['x-service-signature']), { 'content-length': 0 }).end()
  })
})

function forget(): void {
  received = 0
  accepted = 0
  forged = 0
  ids.clear()
}

answerParent({
  url: () => `${origin}/`,
  received: () => received,
  tally: (): Tally => ({ received, accepted, forged, ids: [...ids] }),
  forget,
})
