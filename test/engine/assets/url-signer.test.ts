import fc from 'fast-check'
import { expect, test } from 'vitest'
import { UrlSigner } from '../../../src/engine/assets/outputs.js'
import { runs } from '../../support/deep.js'

const PATH = '/files/task_0123456789/0.png'
const signer = new UrlSigner('files key')

interface SignedUrl {
  readonly path: string
  readonly expires: string
  readonly signature: string
}

function signed(path: string, expires: number): SignedUrl {
  const query = new URLSearchParams(signer.sign(path, expires))
  return { path, expires: query.get('expires') ?? '', signature: query.get('signature') ?? '' }
}

function verify({ path, ...query }: SignedUrl, now = 0) {
  return signer.verify(path, new URLSearchParams(query), now)
}

test('a signed URL is valid until it expires', () => {
  const url = signed(PATH, 90_000)
  expect(url).toEqual({ path: PATH, expires: '90', signature: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect([0, 89_999, 90_000].map((now) => verify(url, now))).toEqual(['valid', 'valid', 'expired'])
})

test('a time with a fraction of a second is rounded up, so that no URL expires early', () => {
  const url = signed(PATH, 90_001)
  expect([90_500, 91_000].map((now) => verify(url, now))).toEqual(['valid', 'expired'])
})

test('a URL with any changed character is reported as tampered', () => {
  const url = signed(PATH, 90_000)
  const part = fc.constantFrom('path' as const, 'expires' as const, 'signature' as const)
  const character = fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' })
  fc.assert(
    fc.property(part, fc.nat(), character, (name, place, other) => {
      const index = place % url[name].length
      fc.pre(url[name][index] !== other)
      const changed = url[name].slice(0, index) + other + url[name].slice(index + 1)
      expect(verify({ ...url, [name]: changed })).toBe('tampered')
    }),
    { numRuns: runs(200, 2_000) },
  )
})

test.each([
  ['a later time', { expires: '99999999' }],
  ['no time', { expires: '' }],
  ['the same time, written otherwise', { expires: '090' }],
  ['no signature', { signature: '' }],
  ['a signature in upper case', { signature: signed(PATH, 90_000).signature.toUpperCase() }],
  ['half a signature', { signature: signed(PATH, 90_000).signature.slice(0, 16) }],
  ['a longer signature', { signature: `${signed(PATH, 90_000).signature}0` }],
  ['the signature of another file', { signature: signed('/files/task_0123456789/1.png', 90_000).signature }],
])('a URL with %s is reported as tampered', (_, change) => {
  expect(verify({ ...signed(PATH, 90_000), ...change })).toBe('tampered')
})

test('a URL without a query is reported as tampered', () => {
  expect(signer.verify(PATH, new URLSearchParams(), 0)).toBe('tampered')
})

test('a URL signed with another key is reported as tampered, not as expired', () => {
  const other = new UrlSigner('another key')
  expect(other.verify(PATH, new URLSearchParams(signer.sign(PATH, 90_000)), 0)).toBe('tampered')
  expect(other.verify(PATH, new URLSearchParams(signer.sign(PATH, 90_000)), 100_000)).toBe('tampered')
})
