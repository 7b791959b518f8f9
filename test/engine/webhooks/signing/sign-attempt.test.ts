import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAIN_DIALECT } from '../../../../src/dialects/built-in.js'
import { STANDARD_WEBHOOKS } from '../../../../src/dialects/table/webhooks/standard-webhooks.js'
import {
  BODY_FAULTS,
  SIGNATURE_FAULTS,
  type WebhookFault,
} from '../../../../src/engine/webhooks/faults/webhook-fault.js'
import { type SigningKeys, signAttempt } from '../../../../src/engine/webhooks/signing/sign-attempt.js'
import type { SignatureFormat } from '../../../../src/engine/webhooks/signing/signature.js'
import { createSimulator, verifySignature } from '../../../../src/index.js'
import { runs } from '../../../support/deep.js'

const encoder = new TextEncoder()
const textOf = (bytes: Uint8Array) => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

const json = fc.jsonValue({ stringUnit: 'binary', maxDepth: 4 })
const outcome = fc.constantFrom('succeeded', 'failed', 'canceled')

/** The bytes of an event with any output or error. */
const event = fc
  .tuple(outcome, fc.string(), fc.dictionary(fc.string({ unit: 'binary' }), json))
  .map(([status, id, made]) => {
    const result = status === 'failed' ? { error: made } : { output: made }
    return encoder.encode(JSON.stringify({ event: `task.${status}`, task: { id, status, ...result } }))
  })

const secret = fc.string({ minLength: 1, maxLength: 100 })

type Keys = Omit<SigningKeys, 'format'> & { readonly format: SignatureFormat }

interface SignedBody {
  readonly body: Uint8Array
  readonly signature: string | undefined
}

const { scenario } = createSimulator()
const { webhooks } = scenario

async function signBody(
  body: Uint8Array<ArrayBuffer>,
  { format, ...secrets }: Keys,
  fault?: WebhookFault,
): Promise<SignedBody> {
  const keys: SigningKeys = {
    ...secrets,
    format: MAIN_DIALECT.webhooks({ ...scenario, webhooks: { ...webhooks, signature: format } }),
  }
  const signed = await signAttempt({ id: 'dlv_00000001', at: 0, body }, keys, fault)
  return { body: signed.body, signature: signed.headers[format.header] }
}

/** Two different secrets, with any signature format. */
const keys: fc.Arbitrary<Keys> = fc
  .record({
    secret,
    previousSecret: secret,
    format: fc.record({
      header: fc.constant('X-Service-Signature'),
      encoding: fc.constantFrom('hex' as const, 'base64' as const),
      prefix: fc.constantFrom('', 'sha256=', 'v1,'),
    }),
  })
  .filter(({ secret, previousSecret }) => secret !== previousSecret && previousSecret !== `not ${secret}`)

/** Returns the signature of some bytes according to Node. */
function signatureOf(bytes: Uint8Array, secret: string, { encoding, prefix }: SignatureFormat): string {
  return prefix + createHmac('sha256', secret).update(bytes).digest(encoding)
}

/** Returns whether a receiver with this secret accepts the body. The check of the library must agree. */
function verifies({ body, signature }: SignedBody, secret: string, format: SignatureFormat): boolean {
  const isRight = signature === signatureOf(body, secret, format)
  expect(verifySignature(body, signature, secret, format)).toBe(isRight)
  return isRight
}

test('a body without a fault verifies, and is unchanged', async () => {
  await fc.assert(
    fc.asyncProperty(event, keys, async (body, keys) => {
      const signed = await signBody(body, keys)
      expect(signed.body).toBe(body)
      expect(verifies(signed, keys.secret, keys.format)).toBe(true)
    }),
  )
})

test.each(['extra_field', 'spaced', 'reordered'] as const)(
  '%s: other bytes with the same meaning',
  async (change) => {
    await fc.assert(
      fc.asyncProperty(event, keys, async (body, keys) => {
        const before = body.slice()
        const sent = await signBody(body, keys, { body: change })
        const { api_version, ...said } = JSON.parse(textOf(sent.body))
        expect(said).toEqual(JSON.parse(textOf(body)))
        expect(typeof api_version).toBe(change === 'extra_field' ? 'string' : 'undefined')
        expect(textOf(sent.body)).not.toBe(textOf(body))
        // Other receivers get the same bytes, so a fault must not change them.
        expect(body).toEqual(before)
      }),
    )
  },
)

test('truncated: a prefix that is not valid JSON', async () => {
  await fc.assert(
    fc.asyncProperty(event, keys, async (body, keys) => {
      const { body: sent } = await signBody(body, keys, { body: 'truncated' })
      expect(sent.length).toBeLessThan(body.length)
      expect(Buffer.compare(sent, body.subarray(0, sent.length))).toBe(0)
      expect(() => JSON.parse(Buffer.from(sent).toString())).toThrow(SyntaxError)
    }),
  )
})

test('changed: a valid event of the same task with the opposite outcome', async () => {
  await fc.assert(
    fc.asyncProperty(event, keys, async (body, keys) => {
      const said = JSON.parse(textOf(body))
      const forged = JSON.parse(textOf((await signBody(body, keys, { body: 'changed' })).body))
      const status = said.task.status === 'succeeded' ? 'failed' : 'succeeded'
      expect(forged).toEqual({ event: `task.${status}`, task: { ...said.task, status } })
    }),
  )
})

test('a signature verifies exactly where it should, whatever other faults apply', async () => {
  const change = fc.option(fc.constantFrom(...BODY_FAULTS), { nil: undefined })
  const signature = fc.option(fc.constantFrom(...SIGNATURE_FAULTS), { nil: undefined })
  await fc.assert(
    fc.asyncProperty(event, keys, change, signature, async (body, keys, change, signature) => {
      const { secret, previousSecret, format } = keys
      const sent = await signBody(body, keys, { body: change, signature })
      const isWhole = change !== 'truncated' && change !== 'changed'
      // The signature of these webhooks has no time.
      const isCorrect = signature === undefined || signature === 'old_timestamp'
      expect(verifies(sent, secret, format)).toBe(isWhole && isCorrect)
      expect(verifies(sent, previousSecret, format)).toBe(isWhole && signature === 'previous_secret')
      // A damaged body has the signature of the original.
      if (!isWhole && isCorrect) expect(sent.signature).toBe(signatureOf(body, secret, format))
    }),
    { numRuns: runs(100, 200) },
  )
})

test.each([
  ['missing', undefined],
  ['empty', ''],
] as const)('a signature that is %s is really %o', async (signature, expected) => {
  await fc.assert(
    fc.asyncProperty(event, keys, async (body, keys) => {
      expect(await signBody(body, keys, { signature })).toEqual({ body, signature: expected })
    }),
  )
})

test('a malformed signature has its prefix and no digest, and a wrong one looks like any other', async () => {
  await fc.assert(
    fc.asyncProperty(event, keys, async (body, keys) => {
      const { encoding, prefix } = keys.format
      const digest = async (signature: 'malformed' | 'wrong') => {
        const written = (await signBody(body, keys, { signature })).signature ?? ''
        expect(written.startsWith(prefix)).toBe(true)
        return written.slice(prefix.length)
      }
      const form = encoding === 'hex' ? /^[0-9a-f]{64}$/ : /^[A-Za-z0-9+/]{43}=$/
      expect(await digest('malformed')).not.toMatch(form)
      expect(await digest('wrong')).toMatch(form)
    }),
  )
})

test.each(['missing', 'empty', 'malformed'] as const)(
  'the signature %s changes no other header, so that a receiver rejects the webhook for its signature',
  async (signature) => {
    const format = { ...MAIN_DIALECT.webhooks(scenario), ...STANDARD_WEBHOOKS }
    const keys = { format, secret: 'whsec_one', previousSecret: 'whsec_two' }
    const message = { id: 'msg_1', at: 1_700_000_000_000, body: encoder.encode('{"event":"task.succeeded"}') }
    const { 'webhook-signature': right, ...others } = (await signAttempt(message, keys)).headers
    const { 'webhook-signature': wrong, ...same } = (await signAttempt(message, keys, { signature })).headers
    expect(same).toEqual(others)
    expect(wrong).not.toBe(right)
  },
)
