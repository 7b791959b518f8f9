import { expect, test } from 'vitest'
import { mask } from '../../src/engine/mask.js'

test('A mask shows the ends of a long secret, and a checksum of a short one', () => {
  expect(['sk_test_alice', 'k1', 'k2', '1', ''].map(mask)).toEqual([
    'sk_...lice',
    '***c1',
    '***08',
    '***',
    '***',
  ])
})

test('Short secrets that differ in one character have different masks', () => {
  const users = Array.from('abcdefghijklmnopqrstuvwxyz0123456789', (letter) => `key-${letter}`)
  for (const each of [users, users.map((user) => `${user}-of-me`)])
    expect(new Set(each.map(mask)).size).toBe(users.length)
})

test('Several short secrets have each mask, so none can be found from it', () => {
  const masks = new Map<string, number>()
  const letters = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))
  for (const first of letters)
    for (const second of letters) {
      const shown = mask(first + second)
      masks.set(shown, (masks.get(shown) ?? 0) + 1)
    }
  expect(Math.min(...masks.values())).toBeGreaterThan(20)
})
