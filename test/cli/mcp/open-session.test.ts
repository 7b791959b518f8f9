import { Server } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openOwnSession } from '../../../src/cli/mcp/run-mcp.js'
import { createTask } from './connected.js'

const ARGUMENTS = {
  ...{ port: 0, scenario: 'instant', seed: undefined, clock: undefined, speed: undefined, webhook: [] },
  ...{ 'webhook-secret': undefined, 'webhook-allow': undefined, 'keep-tasks': 100, 'keep-bytes': undefined },
  ...{ dialect: [], 'root-dialect': undefined, handlers: undefined, otel: false },
  ...{ cors: undefined, 'allow-host': undefined },
}

it('a simulator that cannot use the port leaves the previous one as it is', async () => {
  const session = await openOwnSession(ARGUMENTS)
  onTestFinished(() => session.close())
  session.cases.add('fail_requests 1')
  expect((await createTask(session.origin)).status).toBe(200)

  vi.spyOn(Server.prototype, 'listen').mockImplementationOnce(function (this: Server) {
    process.nextTick(() => this.emit('error', Object.assign(new Error('in use'), { code: 'EADDRINUSE' })))
    return this
  })
  await expect(session.restart?.({ scenario: 'realistic' })).rejects.toThrow('the port is in use')

  expect((await createTask(session.origin)).status).toBe(200)
  expect(await session.call('GET', '/state')).toMatchObject({
    scenario: { name: 'instant' },
    tasks: { succeeded: 2 },
  })
  expect([...session.cases]).toEqual(['fail_requests 1'])
})

it('a new simulator replaces the previous one at the same address', async () => {
  const session = await openOwnSession(ARGUMENTS)
  onTestFinished(() => session.close())
  session.cases.add('fail_requests 1')
  expect((await createTask(session.origin)).status).toBe(200)

  await session.restart?.({ seed: '7' })

  expect(await session.call('GET', '/state')).toMatchObject({ seed: '7', requests: 0 })
  expect((await createTask(session.origin)).status).toBe(200)
  expect(session.cases.size).toBe(0)
})
