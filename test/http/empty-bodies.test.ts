import { expect, it } from 'vitest'
import { describeHosts, IMAGE } from './hosts.js'

const JSON_TYPE = { 'content-type': 'application/json' }

describeHosts('a control API operation with an optional body', (open) => {
  it.each([
    ['has the JSON type and no body', { headers: JSON_TYPE }],
    ['has the JSON type and an empty body', { headers: JSON_TYPE, body: '' }],
    ['has another type and an empty body', { headers: { 'content-type': 'text/plain' }, body: '' }],
    ['has neither a type nor a body', {}],
    ['has an empty object', { headers: JSON_TYPE, body: '{}' }],
  ])('accepts a request that %s', async (_, init) => {
    const { send, post } = await open()
    const { body } = await post('/api/v1/tasks', IMAGE)
    for (const [path, status] of [
      [`/_sim/tasks/${body.id}/hold`, 200],
      [`/_sim/tasks/${body.id}/release`, 200],
      ['/_sim/sandboxes', 201],
      ['/_sim/reset', 200],
    ] as const) {
      const response = await send(path, { method: 'POST', ...init })
      expect([path, response.status]).toEqual([path, status])
    }
  })

  it.each([
    ['a body of another type', { headers: { 'content-type': 'text/plain' }, body: '{}' }, 415],
    ['a body that is not JSON', { headers: JSON_TYPE, body: '{' }, 400],
    ['an unknown field', { headers: JSON_TYPE, body: '{"force":true}' }, 400],
  ])('rejects %s', async (_, init, status) => {
    const { send } = await open()
    expect((await send('/_sim/reset', { method: 'POST', ...init })).status).toBe(status)
  })
})
