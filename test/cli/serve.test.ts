import { exec } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openBrowser, openerOf } from '../../src/cli/open-browser.js'
import { curlTest } from '../support/curl-test.js'
import { deepTest } from '../support/deep.js'
import { json } from '../support/json.js'
import { folderWith, type Running, start } from './run.js'
import { runInProcess } from './run-in-process.js'

const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
const BODY = '{"model": "acme/image-1", "input": {"prompt": "waves"}}'

async function baseUrlOf(running: Running): Promise<string> {
  const [url] = await running.printed(/http:\/\/[\w.]+:\d+\/api\/v1/)
  return url
}

const create = (base: string) =>
  json(fetch(`${base}/tasks`, { method: 'POST', headers: HEADERS, body: BODY }))

curlTest(
  'listens at TASKSIM_PORT, prints curl commands that work when pasted, logs each request, and exits on SIGTERM',
  async () => {
    const folder = folderWith()
    const running = start(folder, ['instant', '--drain', '60s'], { TASKSIM_PORT: '0', PORT: '1' })
    const base = await baseUrlOf(running)
    expect(Number(new URL(base).port)).toBeGreaterThan(1)
    expect(running.stdout().split('\n')[0]).toContain(base)
    await running.printed(/lighthouse at dawn"}}'/)
    for (const shown of ['sk_live_local', 'whsec_local_signing_secret', 'instant', 'seed            1']) {
      expect(running.stdout()).toContain(shown)
    }
    const [curl] = /^ {2}curl (?:.*\\\n)*.*$/m.exec(running.stdout()) ?? []
    const { stdout } = await promisify(exec)(String(curl))
    const { id } = JSON.parse(stdout)
    await running.printed(new RegExp(`<-- POST /api/v1/tasks 200 ${id} [\\d.]+ms\n`))
    const [poll = ''] = /^ {2}curl \S* \S*\/tasks\/\$ID .*$/m.exec(running.stdout()) ?? []
    const polled = await promisify(exec)(poll, { env: { ...process.env, ID: id } })
    const { model, output } = JSON.parse(polled.stdout)
    expect(model).toBe('acme/image-1')
    const [download = ''] = /^ {2}curl .*"\$URL"$/m.exec(running.stdout()) ?? []
    await promisify(exec)(download, { cwd: folder, env: { ...process.env, URL: output.images[0] } })
    expect(readFileSync(join(folder, '0.png')).subarray(1, 4).toString()).toBe('PNG')
    running.child.kill('SIGTERM')
    expect(await running.ended).toBe(0)
    expect(running.stderr()).toBe('')
    // There was no webhook to wait for.
    expect(running.stdout()).not.toMatch(/pending|dropped/i)
  },
)

/** Starts a receiver, and returns its URL. */
async function receiverAt(respond: RequestListener): Promise<string> {
  const receiver = createServer(respond).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  onTestFinished(() => void receiver.close())
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
}

it('tasksim serve logs webhook attempts, also those with a truncated answer, and masks all secrets except the local ones', async () => {
  const url = await receiverAt((_, response) => response.writeHead(202).end())
  const broken = await receiverAt((_, response) => {
    response.writeHead(200, { 'content-length': 1_000 })
    response.write('half', () => response.destroy())
  })
  const args = ['instant', '--port', '0', '--webhook', `${url}?token=open-sesame`, '--webhook', broken]
  const running = start(folderWith(), args, { TASKSIM_WEBHOOK_SECRET: 'whsec_very_secret_indeed' })
  const { id } = await create(await baseUrlOf(running))
  await running.printed(new RegExp(`--> POST ${url}\\?token=\\*\\*\\* 202 ${id} [\\d.]+ms task.succeeded`))
  // The webhook counts as delivered.
  const truncated = `200 \\(the connection closed before the end of the body\\) ${id}`
  await running.printed(new RegExp(`--> POST ${broken} ${truncated}`))
  expect(running.stdout()).not.toMatch(/very_secret|open-sesame/)
})

deepTest(
  'tasksim serve logs lines of JSON for other programs, with the seed that it picked, and each saved scenario file',
  async () => {
    const folder = folderWith({ 'a.yaml': 'extends: instant' })
    const running = start(folder, ['./a.yaml', '--json', '--seed', 'random', '--port', '0'])
    const { id } = await create(await baseUrlOf(running))
    await running.printed(new RegExp(id))
    writeFileSync(join(folder, 'a.yaml'), 'ruels: []')
    await running.printed(/broken/)
    const lines = running
      .stdout()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const seed = expect.stringMatching(/^[0-9a-f]{8}$/)
    expect(lines[0]).toMatchObject({ type: 'ready', scenario: './a.yaml', seed })
    expect(lines[1]).toMatchObject({ type: 'request', method: 'POST', status: 200, task_id: id })
    const broken = expect.objectContaining({ type: 'scenario', path: './a.yaml', state: 'broken' })
    expect(lines).toContainEqual(broken)
  },
)

deepTest('tasksim serve keeps serving after its output is closed', async () => {
  const running = start(folderWith(), ['instant', '--port', '0'])
  const base = await baseUrlOf(running)
  running.child.stdout.destroy()
  for (let request = 0; request < 3; request++) {
    expect((await create(base)).status).toBe('processing')
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(0)
})

it('reloads a scenario file on save, and keeps the last valid one after a mistake or a deletion', async () => {
  const scenario = (code: string) =>
    `{ rules: [{ then: { outcome: failed, delay: 0s, error: { code: ${code}, message: No } } }] }`
  const folder = folderWith({ 'a.yaml': 'extends: ./b.yaml', 'b.yaml': scenario('first') })
  const running = start(folder, ['./a.yaml', '--port', '0'])
  const base = await baseUrlOf(running)
  const failure = async () => {
    const { id } = await create(base)
    return (await json(fetch(`${base}/tasks/${id}`, { headers: HEADERS }))).error.code
  }
  expect(await failure()).toBe('first')
  writeFileSync(join(folder, 'b.yaml'), scenario('second'))
  await running.printed(/Reloaded/)
  expect(await failure()).toBe('second')
  writeFileSync(join(folder, 'b.yaml'), 'ruels: []')
  await running.printed(/b\.yaml:1:1: ruels: unknown field `ruels`; did you mean `rules`\?/)
  expect(await failure()).toBe('second')
  unlinkSync(join(folder, 'a.yaml'))
  await running.printed(
    /The scenario \.\/a\.yaml was deleted; the previous version stays active\.\nSave the file again/,
  )
  expect(await failure()).toBe('second')
  writeFileSync(join(folder, 'a.yaml'), scenario('third'))
  await running.printed(/Save the file again.*Reloaded the scenario \.\/a\.yaml/s)
  expect(await failure()).toBe('third')
})

deepTest(
  'tasksim serve runs the handlers of a module before the API, and exits although the module has an endless timer',
  async () => {
    const msw = import.meta.resolve('msw')
    const module = `import { http, HttpResponse } from '${msw}'
    setInterval(() => {}, 1_000)
    export default [http.get('*/tasks', () => HttpResponse.json({ mine: true }))]`
    const running = start(folderWith({ 'overrides.mjs': module }), [
      '--handlers',
      'overrides.mjs',
      '--port',
      '0',
    ])
    const base = await baseUrlOf(running)
    expect(await json(fetch(`${base}/tasks`, { headers: HEADERS }))).toEqual({ mine: true })
    expect(await create(base)).toMatchObject({ input: { prompt: 'waves' } })
    running.child.kill('SIGTERM')
    expect(await running.ended).toBe(0)
  },
)

it.each([
  [['none.yaml'], /Cannot read the scenario none\.yaml: the file does not exist/],
  [['.'], /Unknown command or scenario "\."\.\n/],
  [['./'], /Cannot read the scenario \.\/: the path is a folder/],
  [['defualt'], /Unknown command or scenario "defualt": did you mean `default`\?/],
  [['broken.yaml'], /broken\.yaml:1:8: kinds: got 7; expected a mapping/],
  [['--port', 'many'], /--port \(or TASKSIM_PORT\) must be a whole number/],
  [['-p=many'], /--port \(or TASKSIM_PORT\) must be a whole number from 0 to 65535; got many\.\n/],
  [['--speed', '0'], /--speed must be/],
  [['--keep-tasks', 'all'], /--keep-tasks must be a whole number from 1 up, or Infinity; got "all"\.\n/],
  [['--webhook', 'http://me:pw@localhost/?token=abc'], /got "http:\/\/\*\*\*@localhost\/\?token=\*\*\*"/],
  [['--webhook', 'localhost:3000'], /--webhook must be a URL/],
  [['--handlers', 'none.mjs'], /Cannot load the handlers none\.mjs/],
  [['--prot', '1'], /Unknown option --prot: did you mean `--port`\?\nSee tasksim --help/],
])(
  'a command line that cannot start a server exits with status 1 and the remedy, without a stack trace: tasksim %j',
  async (args, message) => {
    const running = runInProcess(folderWith({ 'broken.yaml': 'kinds: 7' }), args)
    expect(await running.ended).toBe(1)
    expect(running.stderr()).toMatch(message)
    expect(running.stderr()).not.toMatch(/\n\s+at /)
    expect(running.stdout()).toBe('')
  },
)

deepTest('tasksim serve reports that its port, which it takes from -p, is in use', async () => {
  const url = await receiverAt(() => {})
  // A process of its own: nothing, such as a watcher of the scenario file, may keep it running.
  const args = ['./own.yaml', '-p', new URL(url).port]
  const running = start(folderWith({ 'own.yaml': 'seed: 7' }), args, { TASKSIM_PORT: '0' })
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(/^tasksim: Failed to listen on 127\.0\.0\.1:\d+: the port is in use.*\n$/)
})

it('tasksim serve rejects a bad port in TASKSIM_PORT', async () => {
  const wrong = runInProcess(folderWith(), [], { TASKSIM_PORT: 'many' })
  expect(await wrong.ended).toBe(1)
  expect(wrong.stderr()).toContain(
    '--port (or TASKSIM_PORT) must be a whole number from 0 to 65535; got many.',
  )
})

/** Returns a PATH with an opener script that prints its argument. */
function withOpener(script: string): string {
  const folder = folderWith({ 'xdg-open': `#!/bin/sh\n${script}\n` })
  chmodSync(join(folder, 'xdg-open'), 0o755)
  return folder
}

describe.runIf(process.platform === 'linux')('--open', () => {
  deepTest(
    'opens the dashboard in the browser, or prints its address if that fails, and keeps serving',
    async () => {
      const folder = withOpener('echo "$1" > "$OPENED"; exit 3')
      const opened = join(folder, 'opened')
      const env = { PATH: `${folder}:${process.env['PATH']}`, OPENED: opened }
      const running = start(folder, ['--open', '--port', '0', '--control-token', 'a_long_token'], env)
      const base = await baseUrlOf(running)
      expect(running.stdout()).toContain('default')
      const { origin } = new URL(base)
      await expect
        .poll(() => existsSync(opened) && readFileSync(opened, 'utf8'))
        .toBe(`${origin}/_sim/?token=a_long_token
`)
      await expect
        .poll(() => running.stderr())
        .toMatch(/Cannot open a browser \(xdg-open ended with status 3\)/)
      expect(running.stderr()).toContain(`Open ${origin}/_sim/`)
      expect((await create(base)).status).toBe('processing')
    },
  )

  it('does not open the browser in CI', () => {
    const failures: string[] = []
    openBrowser('http://127.0.0.1/', (reason) => failures.push(reason), { CI: 'true', PATH: '' })
    expect(failures).toEqual([])
  })
})

it.each([
  ['darwin', ['open']],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler']],
  ['linux', ['xdg-open']],
] as const)('tasksim serve opens a page on %s with %j', (platform, opener) => {
  expect(openerOf(platform)).toEqual(opener)
})
