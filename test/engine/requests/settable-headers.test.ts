import { expect, test } from 'vitest'
import {
  headerValue,
  OF_BODY,
  settableHeaders,
  whyNotSettable,
} from '../../../src/engine/requests/headers.js'
import { NOT_NAMES, OF_CONNECTION, SETTABLE, VALUES } from '../../support/hostile-headers.js'

test.each(OF_CONNECTION)('%s belongs to the connection', (name) =>
  expect(whyNotSettable(name)).toBe('tasksim sets this header: choose another one'),
)

test.each(NOT_NAMES)('%j is not the name of a header', (name) =>
  expect(whyNotSettable(name)).toBe('expected the name of a header, such as Authorization'),
)

test.each(SETTABLE)('%s may be set', (name) => expect(whyNotSettable(name)).toBeUndefined())

test('a header about the body may be set by a file that writes the body, and not be added to it', () => {
  expect(whyNotSettable('Content-Encoding')).toBeUndefined()
  expect(whyNotSettable('Content-Encoding', OF_BODY)).toBe(whyNotSettable('Host'))
  expect(whyNotSettable('Authorization', OF_BODY)).toBeUndefined()
})

test.each(VALUES)('a host can send any value: %j', (value, sent) => {
  expect(headerValue(value)).toBe(sent)
  expect(() => new Headers({ x: headerValue(value) })).not.toThrow()
})

test('headers keep only what may be set', () => {
  const given = JSON.parse('{"X-A":"1\\n2","Host":"b","x y":"c","__proto__":"d","Content-Type":"e"}')
  expect(settableHeaders(given)).toEqual({ 'X-A': '1%0A2', 'Content-Type': 'e' })
})
