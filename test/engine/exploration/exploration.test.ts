import { expect, test } from 'vitest'
import { Exploration, MOST_PLACES } from '../../../src/engine/exploration/exploration.js'
import type { JsonObject } from '../../../src/engine/json.js'

const clock = { now: () => 0 }
const create = (exploration: Exploration, input: JsonObject) =>
  exploration.visit({ operation: 'tasks.create', dialect: 'tasks', order: { model: 'm', input } })

test('a run has at most 2,000 places, and a later request is at none of them', () => {
  const exploration = new Exploration({ clock })
  for (let number = 1; number <= MOST_PLACES + 5; number++) create(exploration, { number })
  expect(exploration.places).toHaveLength(MOST_PLACES)
  expect(exploration.orders).toHaveLength(MOST_PLACES)
  const ids = exploration.places.map(({ id }) => id)
  expect(ids).toContain(`tasks.create#${MOST_PLACES}`)
  expect(ids).not.toContain(create(exploration, { number: 0 }).place)
})

test('what a run remembers of a large input is short', () => {
  const exploration = new Exploration({ clock })
  create(exploration, { image: 'x'.repeat(1_000_000) })
  create(exploration, { image: 'y'.repeat(1_000_000) })
  expect(exploration.orders.map((order) => order.length).every((length) => length < 100)).toBe(true)
  expect(new Set(exploration.orders).size).toBe(2)
})
