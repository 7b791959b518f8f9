import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { digestOf } from '../../src/engine/digest.js'

it.each([
  ['nothing', ''],
  ['a short text', 'a lighthouse at dawn'],
  ['a text of several pieces', 'abc'.repeat(500_000)],
  ['a text of pairs of surrogates', `a${'😀'.repeat(600_000)}`],
])('the digest of %s is the SHA-256 of its UTF-8', async (_, text) => {
  expect(await digestOf(text)).toBe(createHash('sha256').update(text).digest('hex'))
})

it('other work runs while a long text is digested', async () => {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  })
  await digestOf('abc'.repeat(2_000_000))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(1)
})
