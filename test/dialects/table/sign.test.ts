import { expect, it } from 'vitest'
import { signerOf } from '../../../src/dialects/table/sign.js'

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

it('sends no header without a signature', () => {
  const { sign, malformed } = signerOf(undefined)
  expect(sign({ id: 'x', at: 0, body: encoder.encode('{}') }, 'secret')).toEqual({})
  expect(malformed).toEqual({})
})
