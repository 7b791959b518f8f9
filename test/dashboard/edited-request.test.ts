import { expect, it } from 'vitest'
import { editedRequest, flawsOf, headersIn, requestOf } from '../../src/dashboard/model/edited-request.js'

const REQUEST = {
  method: 'POST',
  url: 'http://127.0.0.1:1/v1/tasks?wait=1',
  headers: { authorization: 'Bearer a', 'content-type': 'application/json' },
  body: { model: 'm' },
}

it('a request that nobody edits stays the same', () => {
  const edited = editedRequest(REQUEST)
  expect(flawsOf(edited)).toEqual({})
  expect(requestOf(edited, 'http://127.0.0.1:1')).toEqual({
    ...REQUEST,
    body: undefined,
    text: '{\n  "model": "m"\n}',
  })
})

it('a GET request loses its body, because browsers send none', () => {
  const edited = { ...editedRequest(REQUEST), method: 'GET' }
  expect(requestOf(edited, '')).not.toHaveProperty('text')
})

it.each([
  ['accept: */*\n\n x-a : b : c ', { accept: '*/*', 'x-a': 'b : c' }, undefined],
  ['accept: */*\nnonsense', { accept: '*/*' }, 2],
  ['bad name: 1', {}, 1],
  ['x-a: \u2713', {}, 1],
])('the headers of %j are %j', (text, headers, line) => {
  expect(headersIn(text)).toEqual(headers)
  expect(flawsOf({ method: 'GET', path: '/', headers: text, body: '' }).headers?.line).toBe(line)
})

it('a path without a slash cannot be sent', () => {
  expect(flawsOf({ ...editedRequest(REQUEST), path: 'v1' }).path).toMatch(/slash/)
})
