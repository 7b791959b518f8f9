import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from './flow.js'
import type { Http } from './http.js'
import { fal } from './services.js'

const KEYS = 'https://rest.fal.ai/.well-known/jwks.json'
const RECENT = 300

/** Polls a request of fal. If the answer to its create request is lost, its webhook says which request it is. */
export class FalApp {
  readonly #http: Http
  readonly #hook: string
  readonly #announced: string[] = []
  #keys: readonly JsonWebKey[] = []

  constructor(http: Http, hook: string) {
    this.#http = http
    this.#hook = hook
  }

  readonly handle = async (request: Request): Promise<Response> => {
    const raw = Buffer.from(await request.arrayBuffer())
    if (!this.#isGenuine(raw, request.headers)) return new Response(null, { status: 401 })
    this.#announced.push(JSON.parse(raw.toString()).request_id)
    return new Response(null, { status: 204 })
  }

  #isGenuine(raw: Buffer, headers: Headers): boolean {
    const [id, user, time, signature = ''] = ['request-id', 'user-id', 'timestamp', 'signature'].map(
      (name) => headers.get(`x-fal-webhook-${name}`) ?? '',
    )
    if (this.#http.mistakes.has('verifies nothing')) return true
    const isRecent = Math.abs(Date.now() / 1_000 - Number(time)) < RECENT
    const hash = createHash('sha256').update(raw).digest('hex')
    const signed = Buffer.from([id, user, time, hash].join('\n'))
    const isSigned = this.#keys.some((key) =>
      verify(null, signed, createPublicKey({ key, format: 'jwk' }), Buffer.from(signature, 'hex')),
    )
    return isSigned && (isRecent || this.#http.mistakes.has('accepts old webhooks'))
  }

  /** @throws Failure */
  async generate(prompt: string): Promise<void> {
    this.#keys = (await this.#http.insist({ url: KEYS })).keys
    const announced = async () => {
      for (let waited = 0; waited < 60 && this.#announced.length === 0; waited++) await sleep(5_000)
      return this.#announced[0]
    }
    await generate({ ...fal(prompt, this.#hook), announced }, this.#http)
  }
}
