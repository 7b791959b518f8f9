import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedHeaders } from '../../src/hosts/express/node-request.js'

function received(raw: readonly string[]): IncomingMessage {
  const request = new IncomingMessage(new Socket())
  request.rawHeaders = [...raw]
  Object.assign(request, { complete: true })
  for (let index = 0; index < raw.length; index += 2)
    request.headers[String(raw[index]).toLowerCase()] = String(raw[index + 1])
  return request
}

test('requests with the same headers share one object', () => {
  const raw = ['Host', 'localhost', 'Authorization', 'Bearer sk_one']
  expect(sharedHeaders(received(raw))).toBe(sharedHeaders(received(raw)))
})

test('no request gets the headers of another, even if all lengths are equal', () => {
  const text = fc.constantFrom('aa', 'ab', 'ba', 'b')
  const raw = fc.tuple(text, text).map(([one, two]) => ['X-One', one, 'X-Two', two])
  fc.assert(
    fc.property(fc.array(raw, { maxLength: 20 }), (all) => {
      for (const each of all)
        expect(sharedHeaders(received(each))).toEqual({ 'x-one': each[1], 'x-two': each[3] })
    }),
  )
})
