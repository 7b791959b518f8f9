import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { signPayload, verifySignature } from '../../../../src/index.js'

interface Vector {
  readonly name: string
  readonly secret: string
  readonly body: string
  readonly hex: string
  readonly base64: string
}

// Generated with openssl; see make.sh in the same folder.
const file = new URL('../../../../fixtures/signatures/vectors.json', import.meta.url)
const vectors: Vector[] = JSON.parse(readFileSync(file, 'utf8'))

const BODY = '{"event":"task.succeeded"}'
const SECRET = 'whsec_local_signing_secret'
const HEX = 'e1642417e31cf25eda3450f44e345ab795de8fd7ade9d87ca0125c7f8a7acb51'
const BASE64 = '4WQkF+Mc8l7aNFD0TjRat5Xej9et6dh8oBJcf4p6y1E='

test.each(vectors)('tasksim signs as openssl does: $name', ({ secret, body, hex, base64 }) => {
  expect(signPayload(body, secret)).toBe(hex)
  expect(signPayload(body, secret, { encoding: 'base64' })).toBe(base64)
})

test.each(vectors)('tasksim accepts what openssl signed: $name', ({ secret, body, hex, base64 }) => {
  expect(verifySignature(body, hex, secret)).toBe(true)
  expect(verifySignature(body, base64, secret, { encoding: 'base64' })).toBe(true)
})

test('a text, bytes, a Buffer and a part of a larger buffer are the same payload', () => {
  const bytes = new TextEncoder().encode(BODY)
  const larger = new Uint8Array(bytes.length + 20)
  larger.set(bytes, 10)
  const payloads = [bytes, bytes.buffer, Buffer.from(BODY), larger.subarray(10, 10 + bytes.length)]
  for (const payload of payloads) expect(verifySignature(payload, HEX, SECRET)).toBe(true)
})

test.each([
  ['missing', undefined],
  ['null', null],
  ['empty', ''],
  ['of another body', '01d157cf6b6303c0af3b6222da1b7685c1fb936892c2f6a7de8b8661927861e3'],
  ['in upper case', HEX.toUpperCase()],
  ['too short', HEX.slice(2)],
  ['too long', `${HEX}00`],
  ['with a space', ` ${HEX}`],
  ['with a prefix that was not agreed on', `sha256=${HEX}`],
  ['in another encoding', BASE64],
  ['no hex at all', 'z'.repeat(64)],
])('a signature that is %s is wrong', (_, signature) => {
  expect(verifySignature(BODY, signature, SECRET)).toBe(false)
})

test('a signature with any one wrong digit is wrong', () => {
  for (let index = 0; index < HEX.length; index++) {
    const digit = HEX[index] === '0' ? '1' : '0'
    const forged = HEX.slice(0, index) + digit + HEX.slice(index + 1)
    expect(verifySignature(BODY, forged, SECRET)).toBe(false)
  }
})

test('the signature is wrong for another secret and for another body', () => {
  expect(verifySignature(BODY, HEX, `${SECRET}x`)).toBe(false)
  expect(verifySignature(BODY, HEX, '')).toBe(false)
  expect(verifySignature(`${BODY}\n`, HEX, SECRET)).toBe(false)
})

test('an expected prefix is required', () => {
  const format = { prefix: 'sha256=' }
  expect(signPayload(BODY, SECRET, format)).toBe(`sha256=${HEX}`)
  expect(verifySignature(BODY, `sha256=${HEX}`, SECRET, format)).toBe(true)
  for (const wrong of [HEX, 'sha256=', `SHA256=${HEX}`, `sha256=sha256=${HEX}`])
    expect(verifySignature(BODY, wrong, SECRET, format)).toBe(false)
})

test('base64 has only one valid spelling', () => {
  const format = { encoding: 'base64' as const }
  expect(verifySignature(BODY, BASE64, SECRET, format)).toBe(true)
  const unpadded = BASE64.slice(0, -1)
  // The last letter has two unused bits, which a lenient decoder ignores.
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const next = letters[letters.indexOf(unpadded.at(-1) ?? '') + 1]
  const wrong = [unpadded, `${BASE64}=`, `${unpadded.slice(0, -1)}${next}=`, ` ${BASE64}`, HEX]
  for (const signature of wrong) expect(verifySignature(BODY, signature, SECRET, format)).toBe(false)
})

test('an empty secret also signs, as HMAC allows', () => {
  expect(signPayload('', '')).toBe('b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad')
})
