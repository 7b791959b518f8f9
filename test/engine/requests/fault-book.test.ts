import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Chance } from '../../../src/engine/random.js'
import { readStep, type Step } from '../../../src/engine/requests/fault.js'
import { FaultBook, type FaultyRequest } from '../../../src/engine/requests/fault-book.js'
import { parseScenario } from '../../../src/scenario/language/parse-scenario.js'

const RULES = `
  - { name: rare, when: { operation: tasks.create, rate: 0.2 }, then: 500 }
  - { name: second try, when: { operation: tasks.create, per: task, nth: 2 }, then: 502 }
  - { name: often, when: { rate: 0.5 }, then: { status: 503, delay: { min: 1s, max: 9s } } }
`

const bookOf = (rules: string, seed = 'seed') =>
  new FaultBook(parseScenario(`faults:\n${rules}`).faults, Chance.of(seed))

/** A request to create a task, or for one. */
function request(identity: string, fields: Partial<FaultyRequest> = {}): FaultyRequest {
  const task = { model: 'acme/a', kind: 'image', input: {} } as const
  return {
    operation: 'tasks.create',
    method: 'POST',
    key: 'sk',
    task,
    subject: identity,
    identity,
    ...fields,
  }
}

/** What befalls a request: the rule, the fault, and a draw of the fault's own. */
function whatBefalls(book: FaultBook, one: FaultyRequest, since = 0) {
  const befallen = book.befalling(one, since)
  return befallen && [befallen.rule, befallen.fault, befallen.chance.stream('fault delay').float()]
}

/** What befalls the requests of each identity, one after the other. */
function byIdentity(book: FaultBook, requests: readonly FaultyRequest[]): Map<string, unknown[]> {
  const fates = new Map<string, unknown[]>()
  for (const one of requests) {
    const name = `${one.operation} ${one.identity}`
    fates.set(name, [...(fates.get(name) ?? []), whatBefalls(book, one)])
  }
  return fates
}

const sorted = (fates: Map<string, unknown[]>) => [...fates].sort(([a], [b]) => (a < b ? -1 : 1))

test('the same requests in any order get the same faults, each its own', () => {
  const some = fc.record({
    identity: fc.integer({ min: 0, max: 30 }).map(String),
    operation: fc.constantFrom('tasks.create' as const, 'tasks.retrieve' as const),
  })
  const shuffled = fc
    .array(some, { minLength: 1, maxLength: 60 })
    .chain((sent) => fc.tuple(fc.constant(sent), fc.shuffledSubarray(sent, { minLength: sent.length })))
  fc.assert(
    fc.property(shuffled, ([sent, again]) => {
      const fates = (order: typeof sent) =>
        sorted(
          byIdentity(
            bookOf(RULES),
            order.map(({ identity, operation }) => request(identity, { operation })),
          ),
        )
      expect(fates(again)).toEqual(fates(sent))
    }),
  )
})

const MANY = Array.from({ length: 4_000 }, (_, index) => request(String(index)))
const namesBy = (rules: string, seed?: string) => {
  const book = bookOf(rules, seed)
  return MANY.map((one) => book.befalling(one, 0)?.rule)
}
const shareOf = (names: readonly (string | undefined)[], name: string) =>
  names.filter((rule) => rule === name).length / names.length

test('another seed draws other faults, as often', () => {
  const rules = '  - { name: a, when: { rate: 0.3 }, then: 503 }'
  expect(namesBy(rules, 'other')).not.toEqual(namesBy(rules))
  for (const seed of ['seed', 'other'])
    expect(Math.abs(shareOf(namesBy(rules, seed), 'a') - 0.3)).toBeLessThan(0.03)
})

test('two rules draw by themselves: the second gets its share of what the first leaves', () => {
  const names = namesBy('  - { when: { rate: 0.5 }, then: 500 }\n  - { when: { rate: 0.5 }, then: 503 }')
  expect(Math.abs(shareOf(names, 'faults[0]') - 0.5)).toBeLessThan(0.03)
  expect(Math.abs(shareOf(names, 'faults[1]') - 0.25)).toBeLessThan(0.03)
})

test('a retry is drawn anew', () => {
  const book = bookOf('  - { name: a, when: { rate: 0.5 }, then: 503 }')
  const again = Array.from({ length: 2_000 }, () => book.befalling(request('same'), 0)?.rule)
  expect(Math.abs(shareOf(again, 'a') - 0.5)).toBeLessThan(0.04)
})

test('a rule that befalls nobody moves no draw of a rule with a name', () => {
  const rule = '  - { name: a, when: { rate: 0.5 }, then: 503 }'
  expect(namesBy(`  - { when: { model: other }, then: 500 }\n${rule}`)).toEqual(namesBy(rule))
})

test('a rule that another one goes before counts the request nevertheless', () => {
  const book = bookOf('  - { name: a, when: { nth: 1 }, then: 500 }\n  - { name: b, then: [501, 502] }')
  expect([1, 2, 3].map(() => book.befalling(request('x'), 0)?.rule)).toEqual(['a', 'b', undefined])
})

test('conditions on a task hold for no request that is about none', () => {
  const list = request('list', {
    operation: 'tasks.list',
    method: 'GET',
    task: undefined,
    subject: undefined,
  })
  for (const when of ['model: "*"', 'kind: image', 'input: { x: null }'])
    expect(bookOf(`  - { when: { ${when} }, then: 503 }`).befalling(list, 0)).toBeUndefined()
  expect(bookOf('  - { when: { key: "s*" }, then: 503 }').befalling(list, 0)).toBeDefined()
})

test('the steps of a directive go before the rules, one for each time, and a single one is for all', () => {
  const steps = (words: string) => words.split(',').map((word) => readStep(word) as Step)
  const fates = (words: string) => {
    const book = bookOf('  - { then: 500 }')
    return [1, 2, 3].map(() => book.befalling(request('x'), 0, steps(words))?.fault.status)
  }
  expect(fates('503')).toEqual([503, 503, 503])
  expect(fates('503,pass')).toEqual([503, undefined, undefined])
})

test('a book without rules is empty, and befalls nobody', () => {
  const book = new FaultBook([], Chance.of('seed'))
  expect(book.isEmpty).toBe(true)
  expect(book.befalling(request('x'), 0)).toBeUndefined()
  expect(bookOf(RULES).isEmpty).toBe(false)
})
