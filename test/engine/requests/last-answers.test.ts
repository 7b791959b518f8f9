import { expect, test } from 'vitest'
import { MemoryBudget } from '../../../src/engine/memory/budget.js'
import { type LastAnswer, LastAnswers } from '../../../src/engine/requests/request-policy.js'
import { parseScenario } from '../../../src/index.js'

const MANY = 2_000
const answerAt = (at: number): LastAnswer => ({ status: 'processing', at })
const answersOf = (faults: string) =>
  new LastAnswers(parseScenario(`faults: [${faults}]`).faults, new MemoryBudget(Infinity))

/** Returns the number of tasks with a stored answer, after one answer for each. */
function remembered(faults: string, key: string): number {
  const answers = answersOf(faults)
  for (let task = 0; task < MANY; task++) answers.set(String(task), key, answerAt(task))
  return Array.from({ length: MANY }, (_, task) => answers.get(String(task))).filter(
    (answer, task) => answer?.at === task,
  ).length
}

test.each([
  ['{ then: stale }', 'sk_any'],
  ['{ then: [500, stale] }', 'sk_any'],
  ['{ when: { key: "sk_old_*" }, then: stale }', 'sk_old_one'],
])('all answers are kept if a rule may repeat them: %s for %s', (faults, key) => {
  expect(remembered(faults, key)).toBe(MANY)
})

test.each([
  ['{ then: 500 }', 'sk_any'],
  ['{ when: { key: "sk_old_*" }, then: stale }', 'sk_new'],
])('no answer is kept if no rule may repeat it: %s for %s', (faults, key) => {
  expect(remembered(faults, key)).toBe(0)
})

test('a deleted answer is not repeated', () => {
  const answers = answersOf('{ then: stale }')
  for (const task of ['one', 'two']) answers.set(task, 'sk_any', answerAt(1))
  answers.delete('one')
  expect([answers.get('one'), answers.get('two')]).toEqual([undefined, answerAt(1)])
})

test('an answer replaces the previous one', () => {
  const answers = answersOf('{ then: stale }')
  for (const at of [1, 2]) answers.set('task_1', 'sk_any', answerAt(at))
  expect(answers.get('task_1')).toEqual(answerAt(2))
})
