import { describe, expect, it } from 'vitest'
import { nextItem } from '../../src/dashboard/model/menu-keys.js'

describe('the keys of a menu', () => {
  const labels = ['Link', 'ID', 'curl command', 'JSON']

  it('moves through the items in a circle, to both ends, and to a first letter', () => {
    const presses: [number, string][] = [
      [0, 'ArrowDown'],
      [3, 'ArrowDown'],
      [0, 'ArrowUp'],
      [-1, 'ArrowUp'],
      [2, 'Home'],
      [0, 'End'],
      [0, 'c'],
      [3, 'i'],
      [1, 'z'],
    ]
    const reached = presses.map(([current, key]) => nextItem(labels, current, key))
    expect(reached).toEqual([1, 0, 3, 3, 0, 3, 2, 1, 1])
  })
})
