import { expect, test } from 'vitest'
import {
  headerValue,
  OF_BODY,
  settableHeaders,
  whyNotSettable,
} from '../../../src/engine/requests/headers.js'

test.each([
  ...['connection', 'Content-Length', 'EXPECT', 'host', 'Keep-Alive', 'proxy-connection'],
  ...['Proxy-Authenticate', 'te', 'Trailer', 'Transfer-Encoding', 'upgrade', '__proto__'],
])('%s belongs to the connection', (name) =>
  expect(whyNotSettable(name)).toBe('tasksim sets this header: choose another one'),
)

test.each(['', ' ', 'X A', 'X:', 'X-A\r\n', 'X\u0000', 'é', '\u212aeep-alive'])(
  '%j is not the name of a header',
  (name) => expect(whyNotSettable(name)).toBe('expected the name of a header, such as Authorization'),
)

test.each(['Authorization', 'X-Own', 'content-type', 'Cookie', 'x_own', 'constructor', 'Hosts', 'Tea'])(
  '%s may be set',
  (name) => expect(whyNotSettable(name)).toBeUndefined(),
)

test('a header about the body may be set by a file that writes the body, and not be added to it', () => {
  expect(whyNotSettable('Content-Encoding')).toBeUndefined()
  expect(whyNotSettable('Content-Encoding', OF_BODY)).toBe(whyNotSettable('Host'))
  expect(whyNotSettable('Authorization', OF_BODY)).toBeUndefined()
})

test.each([
  ['plain; a="b"\tc', 'plain; a="b"\tc'],
  ['a\r\nX-B: c', 'a%0D%0AX-B: c'],
  ['\u0000\u001f\u007f\u0085', '%00%1F%7F%C2%85'],
  ['é', '%C3%A9'],
  ['a 猫 b', 'a %E7%8C%AB b'],
  ['😀', '%F0%9F%98%80'],
  ['half \ud83d.', 'half %EF%BF%BD.'],
  ['a'.repeat(9_000), 'a'.repeat(8_000)],
  ['\n'.repeat(9_000), '%0A'.repeat(9_000).slice(0, 8_000)],
])('a host can send any value: %j', (value, sent) => {
  expect(headerValue(value)).toBe(sent)
  expect(() => new Headers({ x: headerValue(value) })).not.toThrow()
})

test('headers keep only what may be set', () => {
  const given = JSON.parse('{"X-A":"1\\n2","Host":"b","x y":"c","__proto__":"d","Content-Type":"e"}')
  expect(settableHeaders(given)).toEqual({ 'X-A': '1%0A2', 'Content-Type': 'e' })
})
