import { expect, test } from 'vitest'
import { parseDialect, parseScenario } from '../../src/index.js'

const LONG = 'x'.repeat(200_000)

test.each([
  ['{"openapi": "3.1.0", "paths": {}}', 'an OpenAPI document', 'tasksim init --dialect'],
  ['# A service\nopenapi: 3.0.3\ninfo: { title: Acme }\n', 'an OpenAPI document', 'tasksim init --dialect'],
  [`swagger: "2.0"\nhost: ${LONG}`, 'an OpenAPI document', 'tasksim init --dialect'],
  ['{"log": {"version": "1.2", "entries": []}}', 'a HAR file', 'tasksim learn a.file --dialect NAME'],
  [`{ "log": { "entries": ["${LONG}"] } }`, 'a HAR file', 'tasksim learn a.file --dialect NAME'],
  ['{"id":"a","status":"done"}\n{"id":"b","status":"done"}\n', 'the history of a service', 'tasksim learn'],
  ['{"info": {"_postman_id": "1"}, "item": []}', 'a Postman collection', 'tasksim init --dialect'],
])('a file of another format is named, with the command that reads it: %.40s', (text, what, command) => {
  for (const parse of [parseScenario, parseDialect]) {
    expect(() => parse(text, 'a.file')).toThrow(`a.file: this is ${what}`)
    expect(() => parse(text, 'a.file')).toThrow(command)
  }
})

test.each([
  ['rules: [{ if: { model: a } }]', 'unknown field `if`; did you mean `when`?'],
  ['rules: [{ match: { model: a } }]', 'unknown field `match`; did you mean `when`?'],
  ['defaults: { latency: 2s }', 'unknown field `latency`; did you mean `delay`?'],
  ['tests: []', 'unknown field `tests`; did you mean `expect`?'],
  ['extends: stukc\nrules: 5', 'extends: cannot extend "stukc": did you mean `stuck`?'],
  [
    'expect: [{ create: { model: a, input: {} }, at: { 2s: { status: suceeded } } }]',
    'got "suceeded"; did you mean `succeeded`?',
  ],
])('a mistake has its place and a suggestion: %s', (text, message) => {
  expect(() => parseScenario(text, 'a.yaml')).toThrow(message)
  expect(() => parseScenario(text, 'a.yaml')).toThrow(/^a\.yaml:\d+:\d+: /)
})

test('an expectation may have a pattern of states, and the states of another format', () => {
  const at = (status: string, dialect: string) =>
    `expect: [{ create: { dialect: ${dialect}, model: a, input: {} }, at: { 2s: { status: ${status} } } }]`
  expect(parseScenario(at('/succ|fail/', 'tasks')).expect).toHaveLength(1)
  expect(parseScenario(at('COMPLETED', 'fal')).expect).toHaveLength(1)
})

test('a mistake in a dialect file speaks of a dialect file', () => {
  expect(() => parseDialect('name: acme\nkey: { task: {} }', 'acme.yaml')).toThrow(
    'unknown field `task`; it belongs at the top of the dialect file',
  )
  expect(() => parseDialect('name: acme\n---\nb: 1', 'acme.yaml')).toThrow(
    'a dialect file is one YAML document',
  )
})
