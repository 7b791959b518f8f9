import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { listen } from '../../src/hosts/express/index.js'
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/index.js'
import { describeSqlite } from '../support/has-sqlite.js'
import { folderWith } from './run.js'
import { runInProcess } from './run-in-process.js'

const TOKEN = 'a-token-of-the-test'

async function serverOf(options: SimulatorOptions = {}): Promise<{ sim: Simulator; url: string }> {
  const sim = createSimulator({ clock: 'manual', ...options })
  const server = await listen(sim, { port: 0, controlToken: TOKEN })
  onTestFinished(async () => {
    sim.close()
    await server.close()
  })
  return { sim, url: new URL(server.baseUrl).origin }
}

async function createTask(sim: Simulator): Promise<string> {
  const task = await sim.tasks.create({
    ...{ owner: 'sk_live_local', model: 'acme/image-1', input: { prompt: 'waves' } },
    ...{ webhookUrl: undefined, origin: 'http://localhost' },
  })
  return task.id
}

const idsOf = (sim: Simulator) => [...sim.tasks.all()].map(({ id }) => id)

/** Runs a command that must succeed, and returns its output. */
async function run(folder: string, ...args: string[]): Promise<string> {
  const { ended, stdout, stderr } = runInProcess(folder, args, { TASKSIM_CONTROL_TOKEN: TOKEN })
  const status = await ended
  expect(stderr()).toBe('')
  expect(status).toBe(0)
  return stdout()
}

async function failureOf(folder: string, ...args: string[]): Promise<string> {
  const { ended, stderr } = runInProcess(folder, args, { TASKSIM_CONTROL_TOKEN: TOKEN })
  expect(await ended).toBe(1)
  return stderr()
}

it('carries the state of a running server to another one, in a file that only its user can read', async () => {
  const folder = folderWith()
  const from = await serverOf()
  const id = await createTask(from.sim)
  expect(await run(folder, 'export', '--server', from.url, '--out', 'state.jsonl')).toBe('')
  expect(statSync(join(folder, 'state.jsonl')).mode & 0o777).toBe(0o600)
  const to = await serverOf()
  expect(await run(folder, 'import', 'state.jsonl', '--server', to.url)).toBe('Loaded state.jsonl.\n')
  expect(idsOf(to.sim)).toEqual([id])
  expect(await failureOf(folder, 'export', '--server', from.url, '--out', 'state.jsonl')).toBe(
    'tasksim: state.jsonl already exists. Give another name, or pass --force to overwrite it.\n',
  )
})

it('tasksim state uses the server of the command line, although the environment names a ledger', async () => {
  const { url } = await serverOf()
  const { ended, stderr } = runInProcess(folderWith(), ['export', '--server', url], {
    TASKSIM_CONTROL_TOKEN: TOKEN,
    TASKSIM_LEDGER: 'state.db',
  })
  expect(await ended, stderr()).toBe(0)
})

it('tasksim state prints the state without --out', async () => {
  const { url } = await serverOf()
  const text = await run(folderWith(), 'export', '--server', url)
  expect(text).toMatch(/^\{"tasksim":"state","version":2\}\n(?:\{"kind":.*\}\n)+\{"rows":\d+\}\n$/)
})

it.each([
  [
    ['export'],
    'Add --server http://127.0.0.1:4010 for a running server, or --ledger FILE for a stopped one.',
  ],
  [['export', '--ledger', 'none.db'], 'The ledger none.db does not exist.'],
  [
    ['export', '--ledger', 'a.db', '--server', 'http://127.0.0.1:9'],
    '--server and --ledger name two states. Omit one of them.',
  ],
  [
    ['export', '--ledger', 'a.db', '--control-token', 'secret'],
    '--control-token is for a running server. Add --server URL, or omit the token.',
  ],
  [
    ['import', 'bad.jsonl', '--server', '{{url}}', '--force'],
    '--force can be used only with a ledger. Omit it with --server: a running server needs only the file.',
  ],
  [
    ['import', 'bad.jsonl', '--server', '{{url}}', '--scenario', 'flaky'],
    '--scenario can be used only with a ledger.',
  ],
  [
    ['import', 'bad.jsonl', '--server', '{{url}}', '--dialect', 'acme.yaml'],
    '--dialect can be used only with a ledger.',
  ],
  [['import', 'none.jsonl', '--server', 'http://127.0.0.1:9'], 'Cannot read none.jsonl: ENOENT'],
  [['import', 'bad.jsonl', '--server', '{{url}}'], 'Line 1 of the state is not the header of a state file.'],
])('tasksim state rejects %j', async (args, message) => {
  const { url } = await serverOf()
  const folder = folderWith({ 'bad.jsonl': '{}\n' })
  expect(await failureOf(folder, ...args.map((arg) => arg.replace('{{url}}', url)))).toContain(message)
})

it('tasksim state prints the message of a server that rejects the state', async () => {
  const { url } = await serverOf()
  const folder = folderWith({ 'bad.jsonl': '{}\n' })
  expect(await failureOf(folder, 'import', 'bad.jsonl', '--server', url)).toBe(
    'tasksim: Line 1 of the state is not the header of a state file. Give a file that `tasksim export` has written.\n',
  )
})

describeSqlite('a state and a ledger', () => {
  /** Runs a server with a ledger until it has a task. */
  async function fill(ledger: string): Promise<string> {
    const sim = createSimulator({ clock: 'manual' })
    const server = await listen(sim, { port: 0, ledger })
    const id = await createTask(sim)
    await server.close()
    sim.close()
    return id
  }

  it('are exchanged in both directions', async () => {
    const folder = folderWith()
    const id = await fill(join(folder, 'one.db'))
    await run(folder, 'export', '--ledger', 'one.db', '--out', 'state.jsonl')
    await run(folder, 'import', 'state.jsonl', '--ledger', 'two.db')
    await run(folder, 'export', '--ledger', 'two.db', '--out', 'again.jsonl')
    const withoutTime = (name: string) =>
      readFileSync(join(folder, name), 'utf8').replaceAll(/"wall":\d+/g, '')
    expect(withoutTime('again.jsonl')).toBe(withoutTime('state.jsonl'))
    const sim = createSimulator({ clock: 'manual' })
    const server = await listen(sim, { port: 0, ledger: join(folder, 'two.db') })
    expect(idsOf(sim)).toEqual([id])
    await server.close()
    sim.close()
  })

  it('need --force to replace a state, and keep the old one if the new one is invalid', async () => {
    const folder = folderWith()
    await fill(join(folder, 'one.db'))
    const before = await run(folder, 'export', '--ledger', 'one.db')
    writeFileSync(join(folder, 'old.jsonl'), before)
    expect(await failureOf(folder, 'import', 'old.jsonl', '--ledger', 'one.db')).toContain(
      'The ledger one.db already has a state. Give another ledger, or pass --force to replace the state.',
    )
    writeFileSync(join(folder, 'bad.jsonl'), before.replace('"kind":"task"', '"kind":"tsk"'))
    expect(await failureOf(folder, 'import', 'bad.jsonl', '--ledger', 'one.db', '--force')).toMatch(
      /Line \d+ of the state has the unknown kind "tsk"/,
    )
    expect(await run(folder, 'export', '--ledger', 'one.db')).toBe(before)
    await run(folder, 'import', 'old.jsonl', '--ledger', 'one.db', '--force')
  })

  it('are not loaded into a server with a ledger', async () => {
    const folder = folderWith()
    const sim = createSimulator({ clock: 'manual' })
    const server = await listen(sim, { port: 0, ledger: join(folder, 'one.db') })
    onTestFinished(async () => {
      await server.close()
      sim.close()
    })
    const { origin } = new URL(server.baseUrl)
    await run(folder, 'export', '--server', origin, '--out', 'state.jsonl')
    expect(await failureOf(folder, 'import', 'state.jsonl', '--server', origin)).toContain(
      'Stop the server, import the file with `tasksim import FILE --ledger ADDRESS --force`, and start the server again.',
    )
  })
})
