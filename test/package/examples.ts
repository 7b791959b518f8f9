import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { requireChromium } from '../browser/chromium.js'
import type { Packed } from './pack.js'
import { ENVIRONMENT, freePort, printed, ROOT, reachable, run, start, WORKSHOP } from './workshop.js'

/** Each is a project of its own, with its tests; what has no manifest is for a machine that tests cannot have. */
const EXAMPLES = readdirSync(join(ROOT, 'examples'))
  .filter((name) => existsSync(join(ROOT, 'examples', name, 'package.json')))
  .sort()

const folder = join(WORKSHOP, 'examples')

/** The examples, each as whoever copies it runs it, against the packed package. */
export function exampleChecks(packed: () => Packed): Record<string, () => Promise<void> | void> {
  return {
    'the README shows the example as it is'() {
      const readme = readFileSync(join(ROOT, 'README.md'), 'utf8')
      const example = readFileSync(join(ROOT, 'examples/vitest-msw/generate.test.ts'), 'utf8')
      if (!readme.includes(`\`\`\`ts\n${example}\`\`\``))
        throw new Error('the MSW example of the README differs from examples/')
    },

    'the package installs beside the examples'() {
      mkdirSync(folder)
      for (const example of EXAMPLES)
        cpSync(join(ROOT, 'examples', example), join(folder, example), { recursive: true })
      // One installation for all of them.
      const project = {
        private: true,
        workspaces: EXAMPLES,
        dependencies: { tasksim: `file:${packed().file}` },
      }
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

    'every example has a page that says what it is'() {
      const silent = readdirSync(join(ROOT, 'examples')).filter(
        (name) => !existsSync(join(ROOT, 'examples', name, 'README.md')),
      )
      if (silent.length > 0) throw new Error(`there is no README.md in ${silent.join(', ')}`)
    },

    'an example passes under tasksim exec, in one line'() {
      const told = 'if (!process.env.TASKSIM_URL) process.exit(1)'
      run(folder, 'npx', 'tasksim', 'exec', 'instant', '--max-cost', '0', '--', 'node', '-e', told)
    },

    'the fixture is typed as its declarations say'() {
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck']
      run(join(folder, 'vitest-msw'), 'node', tsc, ...options, 'generate.test.ts', 'bad-days.test.ts')
    },

    async 'a receiver in Python accepts a webhook of the packed server, and refuses a forged one'() {
      const port = await freePort()
      const receiver = start(folder, 'python3', '-u', join(folder, 'receivers/receiver.py'), String(port))
      const url = `http://127.0.0.1:${port}/`
      await reachable(url)
      const server = start(folder, 'npx', 'tasksim', 'instant', '--port', '0', '--webhook', url)
      const base = await printed(server, /http:\/\/[\w.]+:\d+\/api\/v1/)
      const headers = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
      const heard = printed(receiver, /task\.succeeded task_\w{24}/)
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
      const env = { ...ENVIRONMENT, RUNNER_TEMP: folder, SCENARIO: 'instant', PORT: '0' }
      const script = join(ROOT, 'examples/github-action/start.sh')
      const told = execFileSync('bash', [script], { cwd: folder, env, encoding: 'utf8' })
      const { url = '', pid } = Object.fromEntries(told.split('\n').map((line) => line.split('=')))
      try {
        const said = run(folder, 'python3', join(folder, 'python/client.py'), url)
        if (!/^0\.png \d+ bytes/.test(said)) throw new Error(`the Python client printed ${said}`)
      } finally {
        process.kill(Number(pid), 'SIGTERM')
      }
    },

    'the GitHub Action fails where the server does, and shows what it said'() {
      const env = { ...ENVIRONMENT, RUNNER_TEMP: folder, SCENARIO: 'no-such-scenario', PORT: '0' }
      const script = join(ROOT, 'examples/github-action/start.sh')
      const said = failureOf(() => execFileSync('bash', [script], { cwd: folder, env, stdio: 'pipe' }))
      if (!said.includes('no-such-scenario')) throw new Error(`it said ${said}`)
    },

    'the shell example verifies the signature vectors'() {
      const script = join(folder, 'receivers/verify.sh')
      const vectors = JSON.parse(readFileSync(join(ROOT, 'fixtures/signatures/vectors.json'), 'utf8'))
      for (const { secret, body, hex } of vectors) {
        const file = join(folder, 'body.json')
        writeFileSync(file, body)
        execFileSync(script, [file, hex], { env: { ...ENVIRONMENT, WEBHOOK_SECRET: secret } })
      }
    },
  }
}

/** What a command says that has to fail. */
function failureOf(command: () => unknown): string {
  try {
    command()
  } catch (error) {
    return String((error as { stderr?: Buffer }).stderr ?? error)
  }
  throw new Error('it should have failed')
}
