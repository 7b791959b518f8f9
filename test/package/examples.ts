import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { requireChromium } from '../browser/chromium.js'
import type { Packed } from './pack.js'
import { requireTools } from './toolchains.js'
import { ENVIRONMENT, freePort, printed, ROOT, reachable, run, start, WORKSHOP } from './workshop.js'

/**
 * The examples with a manifest, each of which is a project with its tests. The others need a machine that tests do
 * not have.
 */
const EXAMPLES = readdirSync(join(ROOT, 'examples'))
  .filter((name) => existsSync(join(ROOT, 'examples', name, 'package.json')))
  .sort()

const folder = join(WORKSHOP, 'examples')

/** Programs that verify the signature of a file. */
const VERIFIERS = [
  ['bash', 'verify.sh'],
  ['python3', 'verify.py'],
] as const

/** For each fixture, a test whose client polls too fast, and the command that runs it. */
const CARELESS: Readonly<Record<string, { file: string; to: string; command: [string, ...string[]] }>> = {
  pytest: { file: 'test_careless.py', to: '.', command: ['python3', '-m', 'pytest', 'test_careless.py'] },
  go: { file: 'careless_test.go', to: '.', command: ['go', 'test', '-count=1', '-run', 'Careless', '.'] },
  junit: { file: 'CarelessTest.java', to: 'src/test/java/example', command: ['./test.sh'] },
}

/** Runs each copied example against the packed package. */
export function exampleChecks(packed: () => Packed): Record<string, () => Promise<void> | void> {
  return {
    'the package installs beside the examples'() {
      mkdirSync(folder)
      for (const example of EXAMPLES)
        cpSync(join(ROOT, 'examples', example), join(folder, example), { recursive: true })
      // One installation for all examples.
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
        () => {
          requireTools(`examples/${example}`)
          run(join(folder, example), 'npm', 'test')
        },
      ]),
    ),

    ...Object.fromEntries(
      Object.entries(CARELESS).map(
        ([
          example,
          {
            file,
            to,
            command: [program, ...args],
          },
        ]) => [
          `the fixture of the example ${example} fails the test of a careless client, and says why`,
          () => {
            requireTools(`examples/${example}`)
            const cwd = join(folder, example)
            cpSync(join(ROOT, 'test/package/careless', file), join(cwd, to, file))
            const { status, stdout } = spawnSync(program, args, { cwd, env: ENVIRONMENT, encoding: 'utf8' })
            const isReported = /polls-too-fast: [\s\S]*shortest interval was 100 ms[\s\S]*Wait as long/.test(
              stdout,
            )
            if (status === 0 || !isReported) throw new Error(`it ended with ${status}, and printed ${stdout}`)
          },
        ],
      ),
    ),

    'every example has a page that says what it is'() {
      const silent = readdirSync(join(ROOT, 'examples')).filter(
        (name) => !existsSync(join(ROOT, 'examples', name, 'README.md')),
      )
      if (silent.length > 0) throw new Error(`there is no README.md in ${silent.join(', ')}`)
    },

    'an example passes under tasksim exec, in one line'() {
      const told = 'if (!process.env.TASKSIM_URL) process.exit(1)'
      run(folder, 'npx', 'tasksim', 'exec', 'instant', '--allow-no-requests', '--', 'node', '-e', told)
    },

    'an editor finds the schema from every shipped scenario, and from a new one'() {
      const home = join(folder, 'node_modules/tasksim')
      const schema = JSON.stringify(JSON.parse(run(folder, 'npx', 'tasksim', 'schema')))
      mkdirSync(join(folder, 'own'))
      run(folder, 'npx', 'tasksim', 'init', 'own/mine.yaml')
      const shipped = readdirSync(join(home, 'scenarios')).map((name) => join(home, 'scenarios', name))
      for (const file of [...shipped, join(folder, 'own/mine.yaml')]) {
        const [, way = ''] =
          /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(file, 'utf8')) ?? []
        const named: unknown = JSON.parse(readFileSync(resolve(dirname(file), way), 'utf8'))
        if (JSON.stringify(named) !== schema) throw new Error(`${file} names ${way}, which is not the schema`)
      }
    },

    'the fixture is typed as its declarations say'() {
      const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
      const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--skipLibCheck']
      run(
        join(folder, 'vitest-msw'),
        'node',
        tsc,
        ...options,
        'generate.test.ts',
        'bad-days.test.ts',
        'webhooks.test.ts',
      )
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

    async 'the GitHub Action starts the packed server and tells where it is, and the Python client gets its picture'() {
      const env = { ...ENVIRONMENT, RUNNER_TEMP: folder, SCENARIO: 'instant', PORT: '0' }
      const script = join(ROOT, 'examples/github-action/start.sh')
      const told = execFileSync('bash', ['--norc', script], { cwd: folder, env, encoding: 'utf8' })
      const { url = '', pid } = Object.fromEntries(told.split('\n').map((line) => line.split('=')))
      try {
        const said = run(folder, 'python3', join(folder, 'pytest/client.py'), url)
        if (!/^0\.png \d+ bytes/.test(said)) throw new Error(`the Python client printed ${said}`)
        expectReport(url, 'never', 0)
        await leakKey(url)
        expectReport(url, 'error', 1)
      } finally {
        process.kill(Number(pid), 'SIGTERM')
      }
    },

    'the GitHub Action fails where the server does, and shows what it said'() {
      const env = { ...ENVIRONMENT, RUNNER_TEMP: folder, SCENARIO: 'no-such-scenario', PORT: '0' }
      const script = join(ROOT, 'examples/github-action/start.sh')
      const said = failureOf(() =>
        execFileSync('bash', ['--norc', script], { cwd: folder, env, stdio: 'pipe' }),
      )
      if (!said.includes('no-such-scenario')) throw new Error(`it said ${said}`)
    },

    'the examples in a shell and in Python verify the signature vectors, and refuse others'() {
      const vectors = JSON.parse(readFileSync(join(ROOT, 'fixtures/signatures/vectors.json'), 'utf8'))
      for (const { secret, body, hex } of vectors) {
        const file = join(folder, 'body.json')
        writeFileSync(file, body)
        const env = { ...ENVIRONMENT, WEBHOOK_SECRET: secret }
        for (const [program, script] of VERIFIERS) {
          const verify = (signature: string) =>
            spawnSync(program, [join(folder, 'receivers', script), file, signature], { env }).status
          if (verify(hex) !== 0) throw new Error(`${script} refuses ${hex}`)
          if (verify('f'.repeat(64)) === 0) throw new Error(`${script} accepts a forged signature`)
        }
      }
    },
  }
}

/** Runs the action that reports findings, and checks its status, the job summary and the annotations. */
function expectReport(url: string, failOn: string, status: number): void {
  const summary = join(folder, `summary-${failOn}.md`)
  const env = { ...ENVIRONMENT, GITHUB_STEP_SUMMARY: summary, URL: url, FAIL_ON: failOn }
  const script = join(ROOT, 'examples/github-action/report/report.sh')
  const ended = spawnSync('bash', ['--norc', script], { cwd: folder, env, encoding: 'utf8' })
  if (ended.status !== status)
    throw new Error(`it ended with ${ended.status}: ${ended.stdout}${ended.stderr}`)
  const text = readFileSync(summary, 'utf8')
  const isReported = text.includes('| ❌ error | `') && ended.stdout.includes('::error title=')
  if (isReported !== (status === 1)) throw new Error(`it said ${ended.stdout}, and wrote ${text}`)
}

/** Makes a mistake with the severity `error`: sends the API key to the host of the files. */
async function leakKey(url: string): Promise<void> {
  const headers = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } })
  const { id } = await (await fetch(`${url}/tasks`, { method: 'POST', headers, body })).json()
  const { output } = await (await fetch(`${url}/tasks/${id}`, { headers })).json()
  await (await fetch(output.images[0], { headers })).arrayBuffer()
}

/** Returns the output of a command that must fail. */
function failureOf(command: () => unknown): string {
  try {
    command()
  } catch (error) {
    return String((error as { stderr?: Buffer }).stderr ?? error)
  }
  throw new Error('it should have failed')
}
