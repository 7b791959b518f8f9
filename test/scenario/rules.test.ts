import { expect, test } from 'vitest'
import { type Candidate, compileRules } from '../../src/engine/scenario/rules.js'
import { type JsonObject, type Kind, parseScenario } from '../../src/index.js'

interface Request {
  model?: string
  kind?: Kind
  dialect?: string
  key?: string
  input?: JsonObject
  occurrence?: number
}

/** Returns whether a rule with the given `when` matches a request. */
function matches(when: string, request: Request): boolean {
  const [rule] = compileRules(parseScenario(`rules: [{ when: ${when}, then: { outcome: failed } }]`).rules)
  const defaults = { model: 'acme/a', kind: 'image', dialect: 'tasks', key: 'sk_a', input: {}, occurrence: 1 }
  return rule?.matches({ ...defaults, ...request } as Candidate) ?? false
}

test.each<[string, Request, boolean]>([
  ['{}', {}, true],
  ['{ model: acme/a }', { model: 'acme/a' }, true],
  ['{ model: acme/a }', { model: 'acme/ab' }, false],
  ['{ model: "*/a" }', { model: 'other/a' }, true],
  ['{ kind: video }', { kind: 'video' }, true],
  ['{ kind: video }', { kind: 'image' }, false],
  ['{ dialect: tasks }', { dialect: 'tasks' }, true],
  ['{ dialect: tasks }', { dialect: 'acme' }, false],
  ['{ occurrence: 2 }', { occurrence: 2 }, true],
  ['{ occurrence: 2 }', { occurrence: 3 }, false],
  ['{ occurrence: { min: 2 } }', { occurrence: 3 }, true],
  ['{ occurrence: { max: 2 } }', { occurrence: 3 }, false],
  ['{ kind: video, occurrence: 2 }', { kind: 'video', occurrence: 1 }, false],
])('the condition %s with the request %j: %s', (when, request, expected) => {
  expect(matches(when, request)).toBe(expected)
})

test.each<[string, JsonObject, boolean]>([
  ['{ n: 3 }', { n: 3 }, true],
  ['{ n: 3 }', { n: '3' }, false],
  ['{ n: null }', { n: null }, true],
  ['{ n: null }', {}, false],
  ['{ n: true }', { n: 1 }, false],
  ['{ prompt: { matches: cat } }', { prompt: 'a cat sat' }, true],
  ['{ prompt: { matches: ^cat$ } }', { prompt: 'a cat sat' }, false],
  ['{ prompt: { matches: CAT } }', { prompt: 'a cat sat' }, false],
  ['{ prompt: { matches: CAT, ignore_case: true } }', { prompt: 'a cat sat' }, true],
  ['{ prompt: { matches: "^.$" } }', { prompt: '🎨' }, true],
  ['{ prompt: { matches: "5" } }', { prompt: 5 }, false],
  ['{ duration: { min: 5, max: 8 } }', { duration: 5 }, true],
  ['{ duration: { min: 5, max: 8 } }', { duration: 8 }, true],
  ['{ duration: { min: 5, max: 8 } }', { duration: 8.01 }, false],
  ['{ duration: { min: 5 } }', { duration: '6' }, false],
  ['{ n: 3, prompt: cat }', { n: 3, prompt: 'dog' }, false],
])('the fields %s in the input %j: %s', (fields, input, expected) => {
  expect(matches(`{ input: ${fields} }`, { input })).toBe(expected)
})

test.each<[string, JsonObject, boolean]>([
  ['messages.0.content', { messages: [{ content: 'x' }] }, true],
  ['messages.1.content', { messages: [{ content: 'x' }] }, false],
  ['a.b', { 'a.b': 'x' }, true],
  ['a.b', { 'a.b': 'y', a: { b: 'x' } }, false],
  ['a.b.c', { a: { b: 'x' } }, false],
  ['a.length', { a: 'x' }, false],
  ['a', {}, false],
])('the path %s leads to x in %j: %s', (path, input, expected) => {
  expect(matches(`{ input: { ${path}: x } }`, { input })).toBe(expected)
})

test.each(['constructor', 'toString', 'a.__proto__', 'a.constructor.name', 'constructor.name'])(
  'the path %s leads nowhere, unless the input itself has the field',
  (path) => {
    const when = (test: string) => `{ input: { ${path}: ${test} } }`
    expect(matches(when('{ matches: "" }'), { input: { a: {} } })).toBe(false)
    expect(matches(when('Object'), { input: { a: {} } })).toBe(false)
    const nested = path.split('.').reduceRight((value, name) => `{${JSON.stringify(name)}:${value}}`, '"x"')
    expect(matches(when('x'), { input: JSON.parse(nested) })).toBe(true)
  },
)

test('a condition on __proto__ is rejected, because it would vanish and the rule would match every task', () => {
  expect(() => parseScenario('rules: [{ when: { input: { __proto__: x } }, then: {} }]')).toThrow(
    'scenario:1:28: rules[0].when.input.__proto__: a field cannot have the name __proto__',
  )
})

test('a path to the end of the prototype chain finds nothing, not null', () => {
  expect(matches('{ input: { a.__proto__.__proto__: null } }', { input: { a: {} } })).toBe(false)
})

test('a rule without a name is identified by its position in the file', () => {
  const { rules } = parseScenario('rules: [{ then: {} }, { name: mine, then: {} }, { then: {} }]')
  expect(compileRules(rules).map(({ name }) => name)).toEqual(['rules[0]', 'mine', 'rules[2]'])
})
