import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Chance } from '../../../src/engine/random.js'
import { readStep, type Step } from '../../../src/engine/requests/fault.js'
import { type FaultContext, FaultRules } from '../../../src/engine/requests/fault-rules.js'
import { parseScenario } from '../../../src/index.js'

const RULES = `
  - { name: rare, when: { operation: tasks.create, rate: 0.2 }, then: 500 }
  - { name: second try, when: { operation: tasks.create, per: task, nth: 2 }, then: 502 }
  - { name: often, when: { rate: 0.5 }, then: { status: 503, delay: { min: 1s, max: 9s } } }
`

const rulesOf = (source: string, seed = 'seed') =>
  new FaultRules(parseScenario(`faults:\n${source}`).faults, Chance.of(seed))

/** Returns a request that creates a task or refers to one. */
function request(identity: string, fields: Partial<FaultContext> = {}): FaultContext {
  const task = { model: 'acme/a', kind: 'image', input: {} } as const
  return {
    operation: 'tasks.create',
    method: 'POST',
    dialect: 'tasks',
    key: 'sk',
    task,
    subject: identity,
    identity,
    ...fields,
  }
}

/** Returns the rule and the fault that match a request, and a draw of the fault. */
function match(rules: FaultRules, one: FaultContext, since = 0) {
  const matched = rules.match(one, since)
  return matched && [matched.rule, matched.fault, matched.chance.stream('fault delay').float()]
}

/** Returns the matches for the requests of each identity, in order. */
function byIdentity(rules: FaultRules, requests: readonly FaultContext[]): Map<string, unknown[]> {
  const matches = new Map<string, unknown[]>()
  for (const one of requests) {
    const name = `${one.operation} ${one.identity}`
    matches.set(name, [...(matches.get(name) ?? []), match(rules, one)])
  }
  return matches
}

const sorted = (matches: Map<string, unknown[]>) => [...matches].sort(([a], [b]) => (a < b ? -1 : 1))

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
      const matches = (order: typeof sent) =>
        sorted(
          byIdentity(
            rulesOf(RULES),
            order.map(({ identity, operation }) => request(identity, { operation })),
          ),
        )
      expect(matches(again)).toEqual(matches(sent))
    }),
  )
})

const MANY = Array.from({ length: 4_000 }, (_, index) => request(String(index)))
const namesBy = (source: string, seed?: string) => {
  const rules = rulesOf(source, seed)
  return MANY.map((one) => rules.match(one, 0)?.rule)
}
const shareOf = (names: readonly (string | undefined)[], name: string) =>
  names.filter((rule) => rule === name).length / names.length

test('another seed draws other faults at the same rate', () => {
  const source = '  - { name: a, when: { rate: 0.3 }, then: 503 }'
  expect(namesBy(source, 'other')).not.toEqual(namesBy(source))
  for (const seed of ['seed', 'other'])
    expect(Math.abs(shareOf(namesBy(source, seed), 'a') - 0.3)).toBeLessThan(0.03)
})

test('two rules draw independently: the second gets its share of the requests that the first leaves', () => {
  const names = namesBy('  - { when: { rate: 0.5 }, then: 500 }\n  - { when: { rate: 0.5 }, then: 503 }')
  expect(Math.abs(shareOf(names, 'faults[0]') - 0.5)).toBeLessThan(0.03)
  expect(Math.abs(shareOf(names, 'faults[1]') - 0.25)).toBeLessThan(0.03)
})

test('a retry is a new draw', () => {
  const rules = rulesOf('  - { name: a, when: { rate: 0.5 }, then: 503 }')
  const again = Array.from({ length: 2_000 }, () => rules.match(request('same'), 0)?.rule)
  expect(Math.abs(shareOf(again, 'a') - 0.5)).toBeLessThan(0.04)
})

test('a rule without a match changes no draw of a named rule', () => {
  const rule = '  - { name: a, when: { rate: 0.5 }, then: 503 }'
  expect(namesBy(`  - { when: { model: other }, then: 500 }\n${rule}`)).toEqual(namesBy(rule))
})

test('a rule counts a request even if an earlier rule matches', () => {
  const rules = rulesOf('  - { name: a, when: { nth: 1 }, then: 500 }\n  - { name: b, then: [501, 502] }')
  expect([1, 2, 3].map(() => rules.match(request('x'), 0)?.rule)).toEqual(['a', 'b', undefined])
})

test('a condition on a task does not match a request without a task', () => {
  const list = request('list', {
    operation: 'tasks.list',
    method: 'GET',
    task: undefined,
    subject: undefined,
  })
  for (const when of ['model: "*"', 'kind: image', 'input: { x: null }'])
    expect(rulesOf(`  - { when: { ${when} }, then: 503 }`).match(list, 0)).toBeUndefined()
  expect(rulesOf('  - { when: { key: "s*" }, then: 503 }').match(list, 0)).toBeDefined()
})

test('the steps of a directive override the rules, one step per attempt; a single step applies to all', () => {
  const steps = (words: string) => words.split(',').map((word) => readStep(word) as Step)
  const matches = (words: string) => {
    const rules = rulesOf('  - { then: 500 }')
    return [1, 2, 3].map(() => rules.match(request('x'), 0, steps(words))?.fault.status)
  }
  expect(matches('503')).toEqual([503, 503, 503])
  expect(matches('503,pass')).toEqual([503, undefined, undefined])
})

test('no fault matches without rules', () => {
  const rules = new FaultRules([], Chance.of('seed'))
  expect(rules.isEmpty).toBe(true)
  expect(rules.match(request('x'), 0)).toBeUndefined()
  expect(rulesOf(RULES).isEmpty).toBe(false)
})

test('a rule for a dialect matches its requests only, with and without a task', () => {
  const rules = rulesOf('  - { when: { dialect: acme }, then: 500 }')
  for (const fields of [{}, { operation: 'tasks.list', task: undefined, subject: undefined }] as const) {
    expect(match(rules, request('a', { ...fields, dialect: 'acme' }))?.[0]).toBe('faults[0]')
    expect(match(rules, request('a', fields))).toBeUndefined()
  }
})
