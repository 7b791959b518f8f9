import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { folderWith, type Running, start } from './run.js'

const MODULE = fileURLToPath(new URL('../support/broken-handlers.mjs', import.meta.url))

async function serve(folder: string, env: Record<string, string> = {}): Promise<[Running, string]> {
  const running = start(folder, ['--port', '0', '--handlers', MODULE], env)
  const [base] = await running.printed(/http:\/\/[\w.]+:\d+\/api\/v1/)
  return [running, base]
}

it('a server reports each error in a handlers module with the name of the module, and keeps serving', async () => {
  const [running, base] = await serve(folderWith())
  for (const [name, text] of [
    ['timer', 'in a timer'],
    ['undefined', 'undefined'],
    ['microtask', 'a string'],
    ['rejection', 'not awaited'],
    ['empty', 'undefined'],
    ['file', 'ENOENT'],
  ]) {
    expect((await fetch(`${base}/outside/${name}`)).status).toBe(200)
    await running.printed(new RegExp(`error .*broken-handlers\\.mjs failed outside a request.*${text}`))
  }
  for (const [name, text] of [
    ['request', 'in a request'],
    ['nothing', 'undefined'],
    ['status', '1000|status'],
  ]) {
    const answer = await fetch(`${base}/inside/${name}`)
    expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('A handler')])
    await running.printed(new RegExp(`error .*(?:${text})`))
  }
  expect(running.stdout() + running.stderr()).toContain('on import')
  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(0)
})

it('a server exits with a message on an error outside the module', async () => {
  const folder = folderWith({
    'preload.mjs': "process.on('SIGUSR2', () => { throw new Error('not of the module') })",
  })
  const [running] = await serve(folder, { NODE_OPTIONS: `--import ${folder}/preload.mjs` })
  running.child.kill('SIGUSR2')
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toMatch(/^tasksim: .*Unexpected error, shutting down.*not of the module/ms)
})

it('a server reports an error in a handlers module under exec as well, and exits although the module keeps a resource open', async () => {
  const folder = folderWith({
    'open.mjs': `setInterval(() => {}, 1_000)\nexport { default } from ${JSON.stringify(MODULE)}`,
  })
  const request = "fetch(process.env.TASKSIM_URL + '/outside/timer').then(() => setTimeout(() => {}, 200))"
  const command = ['--', process.execPath, '-e', request]
  const args = ['exec', '--allow-no-requests', '--handlers', 'open.mjs', ...command]
  const running = start(folder, args)
  expect(await running.ended).toBe(0)
  expect(running.stderr()).toMatch(/^tasksim: .*open\.mjs failed outside a request.*in a timer/m)
})
