import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { deepTest } from '../../support/deep.js'
import { folderWith } from '../run.js'
import { runInProcess } from '../run-in-process.js'
import { receiver, verifies } from './receivers.js'

function probe(url: string, ...options: string[]) {
  const folder = folderWith()
  return { folder, ...runInProcess(folder, ['probe', '--webhook', url, ...options]) }
}

deepTest(
  'tasksim probe prints a line for each probe of a correct receiver, and exits with status 0',
  async () => {
    const { url } = await receiver()
    const running = probe(url)
    expect(await running.ended).toBe(0)
    expect(running.stdout()).toMatch(/^ok +wrong-signature {2}A signature with another secret$/m)
    expect(running.stdout()).toMatch(/^29 ok, 3 not observed$/m)
  },
)

it('tasksim probe explains each failure and its remedy, and exits with status 1, for a faulty receiver', async () => {
  const { url } = await receiver({ verifies: () => true })
  const running = probe(url)
  expect(await running.ended).toBe(1)
  expect(running.stdout()).toMatch(
    /^error +wrong-signature .*\n.*got 204 in \d+ ms\n +Anyone who knows.*\n +Verify/m,
  )
  expect(running.stdout()).toMatch(/^Failed: (?:[a-z-]+, ){5}and 5 more \(--fail-on warning\)\.$/m)
})

deepTest('tasksim probe signs with the secret of --webhook-secret', async () => {
  const { url } = await receiver({ verifies: (body, signature) => verifies(body, signature, 'whsec_own') })
  const wrong = probe(url)
  const right = probe(url, '--webhook-secret', 'whsec_own')
  expect([await wrong.ended, await right.ended]).toEqual([1, 0])
})

deepTest('tasksim probe fails on warnings, unless --fail-on accepts them', async () => {
  const { url } = await receiver({ get: 200 })
  const lenient = probe(url, '--fail-on', 'error')
  const strict = probe(url)
  expect([await lenient.ended, await strict.ended]).toEqual([0, 1])
})

deepTest('tasksim probe prints the verdict in another format', async () => {
  const { url } = await receiver({ get: 200 })
  const running = probe(url, '--format', 'github')
  expect(await running.ended).toBe(1)
  expect(running.stdout()).toMatch(/^::warning title=tasksim probe%3A get::GET instead of POST%0Aexpected/)
})

deepTest('tasksim probe writes the verdict to a file', async () => {
  const { url } = await receiver()
  const running = probe(url, '--report', 'probe.json')
  expect(await running.ended).toBe(0)
  const { passed, results } = JSON.parse(readFileSync(join(running.folder, 'probe.json'), 'utf8'))
  expect(passed).toBe(true)
  expect(results[0]).toMatchObject({ id: 'genuine', verdict: 'ok', answers: [{ status: 204 }] })
})

it('tasksim probe reports one failure if nothing listens, in text and for CI', async () => {
  const [text, junit] = [probe('http://127.0.0.1:1/'), probe('http://127.0.0.1:1/', '--format', 'junit')]
  expect([await text.ended, await junit.ended]).toEqual([1, 1])
  expect(text.stdout()).toMatch(
    /^error +unreachable {2}Nothing listens at 127\.0\.0\.1:1\n +connect ECONNREFUSED 127\.0\.0\.1:1\n.*\n +Start the receiver.*\n\n1 error\nFailed: unreachable/m,
  )
  expect(junit.stdout()).toContain('<testsuites tests="1" failures="1" skipped="0">')
})

deepTest('tasksim probe reports that a host does not exist, and sends no probe', async () => {
  const running = probe('http://nowhere.invalid/')
  expect(await running.ended).toBe(1)
  expect(running.stdout()).toMatch(/^error +unreachable {2}Cannot connect to nowhere\.invalid$/m)
  expect(running.stdout()).not.toContain('not observed')
})

it('tasksim probe lists in one line the probes that it did not send to an unresponsive receiver', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const running = probe(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  expect(await running.ended).toBe(1)
  expect(running.stdout()).toMatch(/^error +genuine {2}/m)
  expect(running.stdout().match(/^not observed/gm)).toHaveLength(1)
})

it.each([
  [[], /tasksim probe requires --webhook: URL of the endpoint/],
  [['--webhook', 'localhost:3000'], /--webhook must be a URL/],
  [['--webhook', 'http://localhost', '--timeout', 'long'], /--timeout must be a duration/],
])('tasksim probe rejects an invalid command line: %j', async (args, message) => {
  const running = runInProcess(folderWith(), ['probe', ...args])
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(message)
})
