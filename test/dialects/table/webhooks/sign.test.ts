import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { signerOf, webhookSigner } from '../../../../src/dialects/table/webhooks/sign.js'

const encoder = new TextEncoder()

it('signs as the example of Standard Webhooks does', () => {
  const message = {
    id: 'msg_loFOjxBNrRLzqYUf',
    at: 1_731_705_121_000,
    body: encoder.encode('{"event_type":"ping","data":{"success":true}}'),
  }
  expect(signerOf('standard-webhooks').sign(message, 'whsec_plJ3nmyCDGBKInavdOK15jsl')).toEqual({
    'webhook-id': 'msg_loFOjxBNrRLzqYUf',
    'webhook-timestamp': '1731705121',
    'webhook-signature': 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
  })
})

it('signs each attempt with its own time, which a header of its own may hold', () => {
  const { sign, messageIn } = signerOf({
    header: 'X-Sig',
    over: '{{time}}.{{body}}',
    value: 'sha256={{signature}}',
    headers: { 'X-Time': '{{time}}' },
  })
  const body = encoder.encode('{}')
  const headers = sign({ id: 'x', at: 61_000, body }, 'secret')
  expect(headers).toEqual({
    'X-Sig': `sha256=${createHmac('sha256', 'secret').update('61.{}').digest('hex')}`,
    'X-Time': '61',
  })
  expect(messageIn({ 'x-sig': 'sha256=0', 'x-time': '61' }, body)).toMatchObject({ at: 61_000, body })
  expect(messageIn({ 'x-sig': 'sha256=0' }, body)).toBeUndefined()
})

it('sends no header without a signature', () => {
  const { sign, malformed } = signerOf(undefined)
  expect(sign({ id: 'x', at: 0, body: encoder.encode('{}') }, 'secret')).toEqual({})
  expect(malformed).toEqual({})
})

it('signs claims as a token, which is verified with the URL that the token names', async () => {
  const token = {
    algorithm: 'rs256-jwt',
    header: 'X-Token',
    value: 'JWT {{signature}}',
    claims: { aud: '{{url}}', iat: '{{time}}', jti: '{{id}}' },
  } as const
  const signer = webhookSigner({ signature: 'standard-webhooks', request_signature: token })
  const message = { id: 'dlv_1', at: 61_000, url: 'https://app.example.com/hook', body: encoder.encode('{}') }
  expect(signer.sign(message, 'secret')).toHaveProperty('webhook-signature')
  const headers = Object(await signer.sign({ ...message, isOwn: true }, 'secret'))
  expect(Object.keys(headers)).toEqual(['X-Token'])
  const received = { 'x-token': headers['X-Token'] }
  const read = signer.messageIn(received, message.body)
  expect(read).toEqual({ ...message, isOwn: true })
  if (read !== undefined) expect(await signer.sign(read, 'secret')).toEqual(headers)
  expect(signer.messageIn({ 'x-token': 'JWT v1,x' }, message.body)?.isOwn).toBeUndefined()
  expect(signer.signsTime).toBe(true)
})

it('sends the secret itself', async () => {
  const { sign, malformed } = signerOf({
    header: 'authorization',
    algorithm: 'secret',
    value: 'Bearer {{signature}}',
  })
  const message = { id: 'x', at: 0, url: '', body: encoder.encode('{}') }
  expect(await sign(message, 'token-1')).toEqual({ authorization: 'Bearer token-1' })
  expect(malformed).toEqual({ authorization: 'Bearer not-a-signature' })
})

it('knows which signatures cover the time', () => {
  const header = 'X-Sig'
  const signers = [
    webhookSigner({ signature: 'standard-webhooks' }),
    webhookSigner({ signature: { header, over: '{{time}}.{{body}}' } }),
    webhookSigner({ signature: { header } }),
    webhookSigner({ signature: { header, value: '{{time}},{{signature}}' } }),
    webhookSigner({}),
  ]
  expect(signers.map(({ signsTime }) => signsTime)).toEqual([true, true, false, false, false])
})
