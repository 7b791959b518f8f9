import { expect, test } from 'vitest'
import { withChanges } from '../../src/http/faults/altered-body.js'

const SHAPE = { list: 'data', task: 'task', created: [], ids: ['id'], status: 'status', words: {} }

test('a change of a listed task finds its id in the field that holds the task', () => {
  const body = JSON.stringify({ data: [{ task: { id: 'a', status: 'queued' } }, { task: { id: 'b' } }] })
  const changes = new Map([['a', { status: 'lost' }]])
  const reply = withChanges({ status: 200, headers: {}, body }, changes, SHAPE)
  expect(JSON.parse(String(reply.body))).toEqual({
    data: [{ task: { id: 'a', status: 'lost' } }, { task: { id: 'b' } }],
  })
})
