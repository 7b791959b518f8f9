import { expect, test } from 'vitest'
import { httpUrl } from '../../../../src/engine/webhooks/receivers/receiver.js'

test.each([
  ['http://localhost:3000/hooks?a=1', 'http://localhost:3000/hooks?a=1'],
  ['HTTPS://Example.com', 'https://example.com/'],
])('%s is a valid webhook URL', (text, normal) => {
  expect(httpUrl(text)).toBe(normal)
})

test.each(['ftp://example.com', 'http://name:word@example.com/', 'http://127.0.0.1:0/', 'example.com', ''])(
  '%j is not a valid webhook URL',
  (text) => {
    expect(httpUrl(text)).toBeUndefined()
  },
)

test('a long URL is not usable, because URLs of receivers stay in memory', () => {
  const longest = `http://localhost/${'x'.repeat(2_000 - 'http://localhost/'.length)}`
  expect(httpUrl(longest)).toBe(longest)
  expect(httpUrl(`${longest}x`)).toBeUndefined()
})
