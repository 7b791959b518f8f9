import { describe, expect, it } from 'vitest'
import { nextItem } from '../../src/dashboard/model/menu-keys.js'
import { placeBelow } from '../../src/dashboard/parts/place-popover.js'

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

describe('the place of a menu', () => {
  const window = { width: 390, height: 800 }

  it('is below the button, within the window', () => {
    const place = placeBelow({ top: 100, bottom: 132, left: 300, right: 382 }, window)
    expect(place).toEqual({ top: '136px', bottom: 'auto', left: 'auto', right: '8px', maxHeight: '656px' })
  })

  it('is above a button at the bottom of the window', () => {
    const place = placeBelow({ top: 700, bottom: 732, left: 10, right: 90 }, window)
    expect(place).toEqual({ top: 'auto', bottom: '104px', left: '10px', right: 'auto', maxHeight: '688px' })
  })
})
