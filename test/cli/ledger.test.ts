import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { toMilliseconds } from '../../src/engine/clock/durations.js'
import { runs } from '../support/deep.js'
import { describeSqlite, hasSqlite } from '../support/has-sqlite.js'
import { json } from '../support/json.js'
import { folderWith, type Running, start } from './run.js'
import { runInProcess } from './run-in-process.js'

const HEADERS = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }

/** Starts a server whose state is in the file state.db, on a port of its own. */
async function serve(folder: string, ...args: string[]): Promise<{ running: Running; url: string }> {
  const running = start(folder, ['serve', '--port', '0', '--ledger', 'state.db', ...args])
  const [url = ''] = await running.printed(/http:\/\/[\w.]+:\d+/)
  return { running, url }
}

async function createTask(url: string, prompt = 'waves'): Promise<string> {
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt } })
  const { id } = await json(fetch(`${url}/v1/tasks`, { method: 'POST', headers: HEADERS, body }))
  return id
}

const taskOf = (url: string, id: string) => json(fetch(`${url}/v1/tasks/${id}`, { headers: HEADERS }))

/** Sets the ledger back, as if its last server had ended some time ago. */
async function setBack(folder: string, duration: string): Promise<void> {
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(join(folder, 'state.db'))
  const { json: text } = database.prepare("SELECT json FROM entry WHERE kind = 'meta'").get() ?? {}
  const meta = JSON.parse(String(text))
  meta.clock.wall -= toMilliseconds(duration)
  database.prepare("UPDATE entry SET json = ? WHERE kind = 'meta'").run(JSON.stringify(meta))
  database.close()
}

async function killed({ child, ended }: Running): Promise<void> {
  child.kill('SIGKILL')
  await ended
}

describeSqlite('a server with a ledger', () => {
  it('has its tasks after kill -9, and after a regular stop', async () => {
    const folder = folderWith()
    const first = await serve(folder, '--clock', 'manual')
    expect(first.running.stdout()).toContain('  ledger          state.db (new)\n')
    const id = await createTask(first.url)
    await killed(first.running)
    const second = await serve(folder)
    expect(second.running.stdout()).toMatch(/ {2}ledger {10}state\.db \(restored 1 task in \d+ ms\)\n/)
    expect((await taskOf(second.url, id)).status).toBe('processing')
    await createTask(second.url, 'hills')
    second.running.child.kill('SIGTERM')
    expect(await second.running.ended).toBe(0)
    expect(existsSync(join(folder, 'state.db-wal'))).toBe(false)
    const third = await serve(folder, '--json')
    const { ledger } = JSON.parse(third.running.stdout())
    expect(ledger).toEqual({ address: 'state.db', tasks: 2, took_ms: expect.any(Number) })
  })

  it('continues with the stored seed and clock, unless the command line gives a clock', async () => {
    const folder = folderWith()
    const first = await serve(folder, '--seed', '7', '--clock', 'manual')
    await killed(first.running)
    const second = await serve(folder)
    expect(second.running.stdout()).toMatch(/ {2}seed {12}7\n {2}clock {11}manual/)
    await killed(second.running)
    const third = await serve(folder, '--speed', '60', '--seed', 'random')
    expect(third.running.stdout()).toMatch(/ {2}seed {12}7\n {2}clock {11}real, speed 60\n/)
    await killed(third.running)
    const fourth = await serve(folder)
    expect(fourth.running.stdout()).toMatch(/ {2}clock {11}real, speed 60\n/)
  })

  it('rejects another seed, and starts again with --ledger-reset', async () => {
    const folder = folderWith()
    const first = await serve(folder, '--seed', '7')
    await createTask(first.url)
    await killed(first.running)
    const rejected = start(folder, ['--port', '0', '--ledger', 'state.db', '--seed', '8'])
    expect(await rejected.ended).toBe(1)
    expect(rejected.stderr()).toBe(
      'tasksim: The saved state has the random seed "7", but the simulator has "8". Start with the seed "7", or delete the saved state of a ledger with --ledger-reset (in code: `reset: true`).\n',
    )
    const { running } = await serve(folder, '--seed', '8', '--ledger-reset')
    expect(running.stdout()).toContain('  ledger          state.db (new)\n')
  })

  it('rejects a ledger that another server uses, and leaves that server alone', async () => {
    const folder = folderWith()
    const { url } = await serve(folder)
    const second = start(folder, ['--port', '0', '--ledger', 'state.db'])
    expect(await second.ended).toBe(1)
    expect(second.stderr()).toBe(
      'tasksim: Another process uses the ledger state.db. Stop that process, or give each of them a ledger of its own.\n',
    )
    expect(await createTask(url)).toMatch(/^task_/)
  })

  it('catches up with the time while it was down, or pauses with --ledger-pause', async () => {
    const folder = folderWith({
      'slow.yaml': 'extends: default\nkinds: { image: { delay: 1h } }\n',
    })
    const first = await serve(folder, './slow.yaml')
    const id = await createTask(first.url)
    await killed(first.running)
    await setBack(folder, '2h')
    const paused = await serve(folder, '--ledger-pause')
    expect((await taskOf(paused.url, id)).status).toBe('processing')
    await killed(paused.running)
    await setBack(folder, '2h')
    const { url } = await serve(folder)
    const { created_at: created, completed_at: completed } = await taskOf(url, id)
    expect(Date.parse(completed) - Date.parse(created)).toBe(3_600_000)
  })

  it('has every task that it has answered, whenever it is killed', async () => {
    const folder = folderWith()
    const created: string[] = []
    for (let run = 0; run < runs(2, 8); run++) {
      const { running, url } = await serve(folder, '--clock', 'manual')
      for (const id of created) expect((await taskOf(url, id)).id).toBe(id)
      const isDue = created.length + 20 + run
      const client = async (name: number) => {
        for (let count = 0; running.child.exitCode === null; count++) {
          created.push(await createTask(url, `${run} ${name} ${count}`))
          if (created.length === isDue) running.child.kill('SIGKILL')
        }
      }
      await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((name) => client(name).catch(() => {})))
      await running.ended
    }
    expect(created.length).toBeGreaterThan(20)
  })
})

it.skipIf(hasSqlite)('tasksim needs a later Node for a ledger in a file', async () => {
  const { ended, stderr } = runInProcess(folderWith(), ['--ledger', 'state.db'])
  expect(await ended).toBe(1)
  expect(stderr()).toBe(
    `tasksim: A ledger in a file needs Node 22.13 or later; this is Node ${process.versions.node}. To use state.db, install a later version of Node.\n`,
  )
})

it.each([
  [
    ['--ledger-reset'],
    '--ledger-reset needs a ledger. Add --ledger FILE (or set TASKSIM_LEDGER), or omit --ledger-reset.',
  ],
  [['--ledger-sync', 'full'], '--ledger-sync needs a ledger.'],
  [
    ['--ledger', 'redis://127.0.0.1', '--ledger-sync', 'full'],
    '--ledger-sync is for SQLite files. For Redis, omit it, and set appendfsync in the configuration of Redis.',
  ],
  [['--ledger', ':memory:'], 'To keep the state in memory, leave out --ledger (in code: `ledger`).'],
  [
    ['--ledger', 'mysql://user:password@localhost/db'],
    'must be the path of a file, or a URL such as redis://127.0.0.1:6379; got "mysql://***@localhost/db".',
  ],
])('tasksim rejects %j', async (args, message) => {
  const { ended, stderr } = runInProcess(folderWith(), ['serve', ...args])
  expect(await ended).toBe(1)
  expect(stderr()).toContain(message)
  expect(stderr()).not.toContain('password')
})
