import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator } from '../../src/index.js'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

const TOKEN = 'a-token-of-the-test'
const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }

/** Starts a server whose client has created a task with an unknown field, and never polls it. */
async function serverWithClient(): Promise<string> {
  const sim = createSimulator({ clock: 'manual', scenario: 'instant' })
  const server = await listen(sim, { port: 0, controlToken: TOKEN })
  onTestFinished(async () => {
    sim.close()
    await server.close()
  })
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' }, colour: 'blue' })
  await fetch(`${server.baseUrl}/tasks`, { method: 'POST', headers: HEADERS, body })
  return server.baseUrl
}

const findings = (folder: string, ...args: string[]) =>
  runInProcess(folder, ['findings', ...args], { TASKSIM_CONTROL_TOKEN: TOKEN })

it('tasksim findings reports the mistakes of the clients of a running server, and fails if one is an error', async () => {
  const running = findings(folderWith(), '--server', await serverWithClient())
  expect(await running.ended).toBe(1)
  expect(running.stdout()).toMatch(
    /^error +result-never-learned {2}The client never learns the result of a task$/m,
  )
  expect(running.stdout()).toMatch(/^warning +unknown-fields /m)
  expect(running.stdout()).toMatch(/^Failed: result-never-learned, unknown-fields \(--fail-on warning\)\.$/m)
})

it('tasksim findings counts no omission of a client that continues, and accepts the severities below --fail-on', async () => {
  const server = await serverWithClient()
  const lenient = findings(folderWith(), '--server', server, '--no-final', '--fail-on', 'error')
  expect(await lenient.ended).toBe(0)
  expect(lenient.stdout()).not.toMatch(/^error /m)
  expect(await findings(folderWith(), '--server', server, '--no-final').ended).toBe(1)
  expect(await findings(folderWith(), '--server', server, '--fail-on', 'never').ended).toBe(0)
})

it('tasksim findings writes the JSON that exec writes', async () => {
  const folder = folderWith()
  await findings(folder, '--server', await serverWithClient(), '--report', 'findings.json').ended
  const { passed, results } = JSON.parse(readFileSync(join(folder, 'findings.json'), 'utf8'))
  expect(passed).toBe(false)
  expect(results).toContainEqual(
    expect.objectContaining({
      id: 'unknown-fields',
      verdict: 'warning',
      count: 1,
      evidence: [expect.objectContaining({ at: expect.any(Number), requestIds: [expect.any(String)] })],
    }),
  )
})

it('tasksim findings says how to continue if no server answers', async () => {
  const running = findings(folderWith(), '--server', 'http://127.0.0.1:9')
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(
    /^tasksim: Cannot reach tasksim at http:\/\/127\.0\.0\.1:9: .* Is it running\?$/m,
  )
})
