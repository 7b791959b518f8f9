/**
 * What a user gets: packs the package, installs it into a fresh folder beside the examples, and runs them;
 * then serves it from there, with the example receivers of other languages behind its webhooks.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { requireChromium } from '../browser/chromium.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tasksim-package-'))
const children: ChildProcess[] = []
/** Each is a project of its own. */
const EXAMPLES = ['vitest-msw', 'jest', 'node-test', 'playwright']
const ordinaryEnvironment = Object.fromEntries(
  // What npm sets for its scripts would lead a second npm back to this folder.
  Object.entries(process.env).filter(([name]) => !/^npm_(?:lifecycle|package|config_local)/.test(name)),
)

const checks: Record<string, () => Promise<void> | void> = {
  'the package installs beside the examples'() {
    const [{ filename }] = JSON.parse(
      run(root, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder),
    )
    for (const example of EXAMPLES)
      cpSync(join(root, 'examples', example), join(folder, example), { recursive: true })
    // One installation for all of them.
    const project = { private: true, workspaces: EXAMPLES, dependencies: { tasksim: `file:${filename}` } }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(project))
    run(folder, 'npm', 'install', '--no-fund', '--no-audit')
    requireChromium()
  },

  ...Object.fromEntries(
    EXAMPLES.map((example) => [
      `the example ${example} runs against the packed package`,
      () => void run(join(folder, example), 'npm', 'test'),
    ]),
  ),

  'an example passes under tasksim exec, in one line'() {
    const told = 'if (!process.env.TASKSIM_URL) process.exit(1)'
    run(folder, 'npx', 'tasksim', 'exec', 'instant', '--max-cost', '0', '--', 'node', '-e', told)
  },

  'an editor finds the schema from every shipped scenario, and from a new one'() {
    const home = join(folder, 'node_modules/tasksim')
    const schema = JSON.stringify(JSON.parse(run(folder, 'npx', 'tasksim', 'schema')))
    mkdirSync(join(folder, 'own'))
    run(folder, 'npx', 'tasksim', 'init', 'own/mine.yaml')
    const shipped = readdirSync(join(home, 'scenarios')).map((name) => join(home, 'scenarios', name))
    for (const file of [...shipped, join(folder, 'own/mine.yaml')]) {
      const [, way = ''] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(file, 'utf8')) ?? []
      const named: unknown = JSON.parse(readFileSync(resolve(dirname(file), way), 'utf8'))
      if (JSON.stringify(named) !== schema) throw new Error(`${file} names ${way}, which is not the schema`)
    }
  },

  'the fixture is typed as its declarations say'() {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck']
    run(join(folder, 'vitest-msw'), 'node', tsc, ...options, 'generate.test.ts')
  },

  async 'a receiver in Python accepts a webhook of the packed server, and refuses a forged one'() {
    const port = await freePort()
    const receiver = start('python3', '-u', join(root, 'examples/receivers/receiver.py'), String(port))
    const url = `http://127.0.0.1:${port}/`
    await reachable(url)
    const server = start('npx', 'tasksim', 'instant', '--port', '0', '--webhook', url)
    const base = await line(server, /http:\/\/[\w.]+:\d+\/api\/v1/)
    const headers = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
    const heard = line(receiver, /task\.succeeded task_\w{24}/)
    await fetch(`${base}/tasks`, { method: 'POST', headers, body: '{"model": "m", "input": {}}' })
    await heard
    const forged = await fetch(url, {
      method: 'POST',
      headers: { 'x-service-signature': 'f'.repeat(64) },
      body: '{}',
    })
    if (forged.status !== 401) throw new Error(`a forged webhook was answered with ${forged.status}`)
    run(folder, 'npx', 'tasksim', 'probe', '--webhook', url, '--fail-on', 'warning')
  },

  'the GitHub Action starts the packed server and tells where it is, and the Python client gets its picture'() {
    const env = { ...ordinaryEnvironment, RUNNER_TEMP: folder, SCENARIO: 'instant', PORT: '0' }
    const script = join(root, 'examples/github-action/start.sh')
    const told = execFileSync('bash', [script], { cwd: folder, env, encoding: 'utf8' })
    const { url = '', pid } = Object.fromEntries(told.split('\n').map((line) => line.split('=')))
    try {
      const printed = run(folder, 'python3', join(root, 'examples/python/client.py'), url)
      if (!/\/0\.png \d+ bytes/.test(printed)) throw new Error(`the Python client printed ${printed}`)
    } finally {
      process.kill(Number(pid), 'SIGTERM')
    }
  },

  'the examples in a shell and in Python verify the signature vectors, and refuse others'() {
    const folderOf = join(root, 'examples/receivers')
    const vectors = JSON.parse(readFileSync(join(root, 'fixtures/signatures/vectors.json'), 'utf8'))
    for (const { secret, body, hex } of vectors) {
      const file = join(folder, 'body.json')
      writeFileSync(file, body)
      const env = { ...ordinaryEnvironment, WEBHOOK_SECRET: secret }
      for (const [program, script] of [
        ['bash', 'verify.sh'],
        ['python3', 'verify.py'],
      ] as const) {
        const verify = (signature: string) =>
          spawnSync(program, [join(folderOf, script), file, signature], { env }).status
        if (verify(hex) !== 0) throw new Error(`${script} refuses ${hex}`)
        if (verify('f'.repeat(64)) === 0) throw new Error(`${script} accepts a forged signature`)
      }
    }
  },
}

let failed = 0
try {
  for (const [title, check] of Object.entries(checks)) {
    try {
      await check()
      process.stdout.write(`ok   ${title}\n`)
    } catch (error) {
      failed += 1
      process.stdout.write(`FAIL ${title}\n${error instanceof Error ? error.message : error}\n`)
    }
  }
} finally {
  for (const child of children) if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`${Object.keys(checks).length - failed} passed, ${failed} failed\n`)
process.exitCode = failed === 0 ? 0 : 1

function run(cwd: string, command: string, ...args: string[]): string {
  try {
    return execFileSync(command, args, { cwd, env: ordinaryEnvironment, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  }
}

/** Starts a program in the fresh folder, in a process group of its own so that all of it can be ended. */
function start(command: string, ...args: string[]): ChildProcess {
  const child = spawn(command, args, { cwd: folder, env: ordinaryEnvironment, detached: true })
  child.on('error', (error) => process.stdout.write(`${command} cannot run: ${error.message}. Install it.\n`))
  children.push(child)
  return child
}

async function line(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = ''
  const deadline = AbortSignal.timeout(20_000)
  for (;;) {
    const [chunk] = await once(child.stdout as NodeJS.ReadableStream & NodeJS.EventEmitter, 'data', {
      signal: deadline,
    })
    text += chunk
    const match = pattern.exec(text)
    if (match !== null) return match[0]
  }
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

async function reachable(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`nothing answers at ${url}`)
}
