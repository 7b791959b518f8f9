import { expect, test } from 'vitest'
import { httpUrl } from '../../../src/engine/webhooks/http-url.js'

test.each([
  ['http://localhost:3000/hooks?a=1', 'http://localhost:3000/hooks?a=1'],
  ['HTTPS://Example.com', 'https://example.com/'],
])('%s is a URL that a webhook can be sent to', (text, normal) => {
  expect(httpUrl(text)).toBe(normal)
})

test.each(['ftp://example.com', 'http://name:word@example.com/', 'http://127.0.0.1:0/', 'example.com', ''])(
  '%j is none: nobody would get it there',
  (text) => {
    expect(httpUrl(text)).toBeUndefined()
  },
)
