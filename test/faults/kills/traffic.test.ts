import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { serveHere } from '../../support/receiver.js'
import { Traffic } from './traffic.js'

/** A server whose answers the test gives. */
async function startServer() {
  const asked: ServerResponse[] = []
  const { port, close } = await serveHere((_, response) => asked.push(response))
  onTestFinished(close)
  const traffic = new Traffic(port)
  onTestFinished(() => traffic.stop())
  return {
    traffic,
    /** Sends a poll. Resolves to its answer when the server has received it. */
    async poll(task: Parameters<Traffic['poll']>[0]) {
      const place = asked.length
      const done = traffic.poll(task)
      await expect.poll(() => asked.length).toBe(place + 1)
      return async (status: string) => {
        asked[place]?.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ status }))
        await done
      }
    },
  }
}

const newTask = () => ({ id: 'task_1', key: 'sk_one', seen: undefined })

test('an answer that left before the end of its task contradicts nothing when it arrives after it', async () => {
  const { traffic, poll } = await startServer()
  const task = newTask()
  const first = await poll(task)
  const second = await poll(task)
  await second('succeeded')
  await first('processing')
  expect(traffic.contradictions).toEqual([])
  expect(task.seen).toBe('succeeded')
})

test('an answer to a poll that was sent after the end was known must show the end', async () => {
  const { traffic, poll } = await startServer()
  const task = newTask()
  await (await poll(task))('succeeded')
  await (await poll(task))('processing')
  expect(traffic.contradictions).toEqual(['task_1 was succeeded, and is processing now'])
})

test('two ends of a task contradict each other in any order', async () => {
  const { traffic, poll } = await startServer()
  const task = newTask()
  const first = await poll(task)
  const second = await poll(task)
  await second('canceled')
  await first('succeeded')
  expect(traffic.contradictions).toEqual(['task_1 was canceled, and is succeeded now'])
  expect(task.seen).toBe('canceled')
})
