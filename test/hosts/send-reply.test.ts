import { createServer } from 'node:http'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Reply } from '../../src/exchange/exchange.js'
import { sendReply } from '../../src/hosts/express/send-reply.js'
import { exchange } from '../http/raw-socket.js'

/** Serves one reply, and collects the errors. */
async function serve(reply: Reply) {
  const errors: unknown[] = []
  const server = createServer((_, response) => {
    response.setHeader('vary', 'Origin')
    sendReply(response, { ...reply, headers: { ...reply.headers } }, (error) => errors.push(error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())))
  const { port } = server.address() as { port: number }
  return { errors, origin: `http://127.0.0.1:${port}` }
}

const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

const PIECES = (async function* () {
  yield new Uint8Array([1])
})()

test.each<[string, Partial<Reply>]>([
  ['a line break in a header', { headers: { 'x-request-id': 'req_1\r\nset-cookie: a=b' } }],
  ['NUL in a header', { headers: { 'x-request-id': '\u0000' } }],
  ['a header beyond Latin-1', { headers: { location: '/é/€' } }],
  ['a space in the name of a header', { headers: { 'a b': 'a' } }],
  ['a status that HTTP does not have', { status: 42 }],
])('a reply with %s is a plain 500, and the error is reported', async (_, flawed) => {
  const reply = { status: 200, headers: {}, body: '{}', ...flawed }
  const { errors, origin } = await serve(reply)
  const { received } = await exchange(origin, REQUEST)
  expect(received).toMatch(/^HTTP\/1\.1 500 /)
  expect(received).not.toContain('set-cookie')
  expect(received).toContain('"code":"internal_error"')
  expect(errors).toHaveLength(1)
})

test('a reply in pieces whose headers cannot be sent closes the connection, and the error is reported', async () => {
  const transmission = { pieces: PIECES, isWhole: true }
  const { errors, origin } = await serve({ status: 200, headers: { a: '\n' }, body: '', transmission })
  expect((await exchange(origin, REQUEST)).received).toBe('')
  expect(errors).toHaveLength(1)
})

test('no header and no status ends the process', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 8 })
  const headers = fc.dictionary(text, text, { maxKeys: 3, noNullPrototype: true })
  await fc.assert(
    fc.asyncProperty(fc.record({ status: fc.integer({ min: -1, max: 1_000 }), headers }), async (reply) => {
      const { origin } = await serve({ ...reply, body: 'body' })
      expect((await exchange(origin, REQUEST)).received).toMatch(/^(?:HTTP\/1\.1 \d{3} |$)/)
    }),
  )
})
