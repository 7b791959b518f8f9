import { createHmac } from 'node:crypto'
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
