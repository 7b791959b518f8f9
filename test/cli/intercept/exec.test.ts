import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { folderWith, start } from '../run.js'
import { runInProcess } from '../run-in-process.js'

/** An app that knows nothing of tasksim. */
const APP = `
  const headers = { authorization: 'Bearer ' + process.env.REPLICATE_API_TOKEN, 'content-type': 'application/json' }
  const body = JSON.stringify({ version: 'acme/image-1', input: { prompt: 'waves' } })
  const send = async (url, init) => (await fetch(url, { headers, ...init })).json()
  let made = await send('https://api.replicate.com/v1/predictions', { method: 'POST', body })
  while (made.status !== 'succeeded') made = await send(made.urls.get)
  const file = await fetch([made.output].flat()[0])
  const { byteLength } = await file.arrayBuffer()
  if (byteLength < 1000) process.exit(9)
`
const command = (script: string) => ['--', process.execPath, '--input-type=module', '-e', script]

/** The folders of a process. */
const foldersOf = (pid: number | undefined) =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`tasksim-intercept-${pid}-`))

it('tasksim exec --intercept answers the real hosts for an app that is not changed, and reports what it called', async () => {
  const running = runInProcess(folderWith(), [
    'exec',
    '--intercept',
    'instant',
    ...command(`
    ${APP}
    await fetch('https://api.stripe.com/v1/charges').catch(() => {})
    await fetch('https://api.replicate.com/v1/trainings', { headers })
    await fetch(process.env.TASKSIM_URL + '/tasks', { headers })
  `),
  ])
  expect(await running.ended, running.stderr()).toBe(0)
  const report = running.stderr()
  expect(report).toMatch(
    /^note +intercepted .*\n +https:\/\/api\.replicate\.com x\d+\n +https:\/\/replicate\.delivery x1\n +1 more by the base URL of tasksim\.$/m,
  )
  expect(report).toMatch(/Variables: .*REPLICATE_API_TOKEN.*HTTPS_PROXY/)
  expect(report).toMatch(/^note +not-imitated .*\n +GET https:\/\/api\.replicate\.com\/v1\/trainings x1$/m)
  expect(report).toMatch(
    /^note +refused-hosts .*\n +api\.stripe\.com:443 x1\n.*\n.*--intercept-allow api\.stripe\.com\.$/m,
  )
  expect(foldersOf(process.pid)).toEqual([])
})

it.each([
  [['--intercept-allow', '*.example.com'], /--intercept-allow needs --intercept/],
  [['--intercept', '--intercept-allow', 'https://a.example'], /must be the name of a host/],
  [['--intercept=replicat'], /There is no dialect "replicat".*`replicate`/],
])('tasksim exec says what is wrong with %j', async (options, message) => {
  const running = runInProcess(folderWith(), ['exec', ...options, ...command('')])
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(message)
})

it('tasksim serve --intercept writes the variables for programs that are started elsewhere, and deletes them at its end', async () => {
  const server = start(folderWith(), ['instant', '--intercept=replicate', '--port', '0', '--json'])
  const [line] = await server.printed(/^{.*"type":"ready".*}$/m)
  const { intercept } = JSON.parse(line)
  expect(intercept.dialects).toEqual(['replicate'])
  const script = `. ${intercept.shell}; exec "$0" --input-type=module -e "$1"`
  await promisify(execFile)('sh', ['-c', script, process.execPath, APP])
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(foldersOf(server.child.pid)).toEqual([])
})
