import { expect, it } from 'vitest'
import { itemWith, nextItem } from '../../src/dashboard/model/menu-keys.js'

it('the keys move through items in a circle, to both ends, and to a first letter', () => {
  const presses: [number, string][] = [
    [0, 'ArrowDown'],
    [3, 'ArrowDown'],
    [0, 'ArrowUp'],
    [-1, 'ArrowUp'],
    [2, 'Home'],
    [0, 'End'],
  ]
  expect(presses.map(([current, key]) => nextItem(4, current, key))).toEqual([1, 0, 3, 3, 0, 3])
  const labels = ['Link', 'ID', 'curl command', 'JSON']
  const letters: [number, string][] = [
    [0, 'c'],
    [3, 'i'],
    [1, 'z'],
  ]
  expect(letters.map(([current, letter]) => itemWith(labels, current, letter))).toEqual([2, 1, 1])
})
