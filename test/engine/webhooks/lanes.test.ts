import { expect, test } from 'vitest'
import { Lanes, MOST_AT_ONCE } from '../../../src/engine/webhooks/lanes.js'
import { create, simulate } from '../../support/simulations.js'

const { receiver: PER_RECEIVER, origin: PER_ORIGIN } = MOST_AT_ONCE

/** Lanes whose work is under way until it is ended by hand. */
function openLanes() {
  const lanes = new Lanes()
  const begun: string[] = []
  const ends: (() => void)[] = []
  const run = (url: string, times = 1) => {
    for (let count = 0; count < times; count++) {
      lanes.run(url, () => {
        begun.push(url)
        return new Promise((resolve) => ends.push(resolve))
      })
    }
  }
  const endFirst = async () => {
    ends.shift()?.()
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  }
  return { lanes, run, begun, endFirst }
}

const count = (begun: readonly string[], url: string) => begun.filter((each) => each === url).length

test('a receiver that hangs fills its own places, and those of another path stay free', () => {
  const { run, begun } = openLanes()
  run('http://receiver.test/hang', 200)
  run('http://receiver.test/ok')
  expect(count(begun, 'http://receiver.test/hang')).toBe(PER_RECEIVER)
  expect(begun.at(-1)).toBe('http://receiver.test/ok')
})

test('URLs that differ in their query are one receiver', () => {
  const { run, begun } = openLanes()
  for (let id = 0; id < 100; id++) run(`http://receiver.test/hook?id=${id}`)
  expect(begun).toHaveLength(PER_RECEIVER)
})

test('an origin has a bound of its own, beyond which its receivers take turns', async () => {
  const { run, begun, endFirst } = openLanes()
  const receivers = PER_ORIGIN / PER_RECEIVER
  for (let path = 0; path < receivers; path++) run(`http://receiver.test/${path}`, PER_RECEIVER + 10)
  run('http://receiver.test/late', 2)
  run('http://other.test/')
  expect([begun.length, begun.at(-1)]).toEqual([PER_ORIGIN + 1, 'http://other.test/'])
  await endFirst()
  await endFirst()
  await endFirst()
  // Whichever has waited longest goes first, and goes to the end of the line.
  expect(begun.slice(PER_ORIGIN + 1)).toEqual([
    'http://receiver.test/late',
    'http://receiver.test/0',
    'http://receiver.test/late',
  ])
})

test('all that waits is begun at last', async () => {
  const { run, begun, endFirst } = openLanes()
  for (let path = 0; path < 20; path++) run(`http://receiver.test/${path}`, 50)
  for (let ended = 0; ended < 1_000; ended++) await endFirst()
  expect(begun).toHaveLength(1_000)
})

test('what waits is forgotten, and what was under way disturbs nothing that comes after', async () => {
  const { lanes, run, begun, endFirst } = openLanes()
  run('http://receiver.test/hook', 40)
  lanes.clear()
  run('http://receiver.test/hook', 40)
  expect(begun).toHaveLength(2 * PER_RECEIVER)
  for (let ended = 0; ended < PER_RECEIVER; ended++) await endFirst()
  expect(begun).toHaveLength(2 * PER_RECEIVER)
  await endFirst()
  expect(begun).toHaveLength(2 * PER_RECEIVER + 1)
})

test('those who wait behind receivers that never answer get their attempt, and time does not pass it by', async () => {
  const heard: string[] = []
  const sim = simulate({
    patience: 20,
    scenario: { extends: 'instant', webhooks: { retries: [] } },
    transport: ({ url }) => {
      if (url.endsWith('hang=1')) return new Promise(() => {})
      return new Promise((resolve) => {
        setTimeout(() => {
          heard.push(url)
          resolve({ status: 204 })
        }, 2)
      })
    },
  })
  for (let number = 0; number < PER_RECEIVER; number++) {
    await create(sim, { input: { number }, webhookUrl: 'http://receiver.test/?hang=1' })
  }
  for (let number = 0; number < 10; number++) {
    await create(sim, { input: { ok: number }, webhookUrl: 'http://receiver.test/?hang=0' })
  }
  await sim.clock.advance('5m')
  expect(heard).toHaveLength(10)
})
