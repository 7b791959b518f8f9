import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from '../support/check.js'
import type { Packed } from './pack.js'
import { run, versioned, WORKSHOP } from './workshop.js'

/** The version of TypeScript that ts-jest supports. */
const TYPESCRIPT = 'typescript@5'
/** Jest itself gives a test 5 seconds, which the first import takes on a busy machine. */
const TIME_LIMIT = '--testTimeout=60000'

const IMPORTS = [
  ['{ http, HttpResponse }', 'msw'],
  ['{ setupServer }', 'msw/node'],
  ['{ createSimulator, defineScenario, UsageError }', 'tasksim'],
  ['{ connect }', 'tasksim/client'],
  ['{ listen }', 'tasksim/express'],
  ['{ handlers }', 'tasksim/msw'],
] as const
const AS_MODULE = IMPORTS.map(([names, from]) => `import ${names} from '${from}'\n`).join('')
const AS_COMMONJS = IMPORTS.map(([names, from]) => `const ${names} = require('${from}')\n`).join('')

const TESTS = `
const sim = createSimulator({ clock: 'manual', start: new Date('2026-02-01') })
const elsewhere = http.get('https://elsewhere.example/', () => HttpResponse.json({ here: [true] }))
const server = setupServer(...handlers(sim, { baseUrl: 'https://api.example.com/api/v1' }), elsewhere)
const headers = { authorization: 'Bearer sk_live_local', 'content-type': 'application/json' }

// As a client does that is built here.
const kept = fetch

// Another file uses the same worker, and closes nothing.
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))

test('requests are answered by the simulator, and by handlers of the test', async () => {
  const body = JSON.stringify({ model: 'acme/image-1', input: { prompt: 'waves' } })
  const created = await fetch('https://api.example.com/api/v1/tasks', { method: 'POST', headers, body })
  const { id } = await created.json()
  await sim.clock.advance('1m')
  const task = await (await fetch('https://api.example.com/api/v1/tasks/' + id, { headers })).json()
  const file = await fetch(task.output.images[0])
  expect(file.headers.get('content-type')).toBe('image/png')
  expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(1_000)
  expect(new Date(sim.clock.now()).toISOString()).toBe('2026-02-01T00:01:00.000Z')
  expect(await sim.findings()).toEqual([])
  expect(await (await fetch('https://elsewhere.example/')).json()).toEqual({ here: [true] })
})

test('mistakes are errors of the library', () => {
  expect(() => defineScenario({ defaults: { delay: 'soon' as never } })).toThrow(/delay/)
  expect(() => createSimulator({ seed: {} as never })).toThrow(UsageError)
})

test('a server of the simulator is controlled by a client', async () => {
  server.close()
  const { baseUrl, close } = await listen(sim, { port: 0 })
  await connect(new URL(baseUrl).origin).reset()
  await close()
  server.listen({ onUnhandledRequest: 'error' })
})
`
/** Only with the configuration, which replaces `fetch` in the test files. */
const RESET = `
test('a connection that is reset fails with the error of Node', async () => {
  sim.useScenario(defineScenario({ faults: [{ then: ['reset'] }] }))
  const failed = kept('https://api.example.com/api/v1/tasks', { headers })
  await expect(failed).rejects.toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } })
  await sim.reset()
})
`
const UNTYPED = TESTS.replaceAll(' as never', '')

/** A project with Jest: its files, and the arguments of Node. */
interface Project {
  readonly files: Readonly<Record<string, string>>
  readonly nodeOptions?: string
}

const COMMONJS_CONFIG = "module.exports = { ...require('tasksim/jest') }"
const TS_CONFIG = "module.exports = { ...require('tasksim/jest'), preset: 'ts-jest' }"

/** A project whose tests ts-jest compiles and checks. */
function tsJest(options: object): Project {
  const compilerOptions = {
    target: 'es2023',
    strict: true,
    skipLibCheck: true,
    types: ['node', 'jest'],
    ...options,
  }
  return {
    files: {
      'jest.config.js': TS_CONFIG,
      'tsconfig.json': JSON.stringify({ compilerOptions }),
      'one.test.ts': AS_MODULE + TESTS,
      'two.test.ts': AS_MODULE + TESTS,
    },
  }
}

const PROJECTS: Readonly<Record<string, Project>> = {
  'CommonJS and babel-jest, which is the default': {
    files: {
      'jest.config.js': COMMONJS_CONFIG,
      'one.test.js': AS_COMMONJS + UNTYPED + RESET,
      'two.test.js': AS_COMMONJS + UNTYPED,
    },
  },
  'ts-jest, with module `commonjs`': tsJest({ module: 'commonjs', esModuleInterop: true }),
  'ts-jest, with module `nodenext`': tsJest({ module: 'nodenext' }),
  'ts-jest, with module `esnext` and resolution `bundler`': tsJest({
    module: 'esnext',
    moduleResolution: 'bundler',
  }),
  'ES modules': {
    nodeOptions: '--experimental-vm-modules',
    files: {
      'package.json': '{"private":true,"type":"module"}',
      'jest.config.js': "import tasksim from 'tasksim/jest'\nexport default { ...tasksim, transform: {} }",
      'one.test.js': AS_MODULE + UNTYPED + RESET,
      'two.test.js': AS_MODULE + UNTYPED,
    },
  },
  'ES modules, without the configuration': {
    nodeOptions: '--experimental-vm-modules',
    files: {
      'package.json': '{"private":true,"type":"module"}',
      'jest.config.js': 'export default { transform: {} }',
      'one.test.js': AS_MODULE + UNTYPED,
    },
  },
}

/** Checks the package in projects with the newest Jest. */
export function jestChecks(packed: () => Packed): Record<string, Check['run']> {
  const home = join(WORKSHOP, 'jest')
  const checks = Object.entries(PROJECTS).map(([what, { files, nodeOptions = '' }], index) => {
    const check = () => {
      const folder = join(home, `project-${index}`)
      mkdirSync(folder)
      for (const [name, text] of Object.entries({ 'package.json': '{"private":true}', ...files }))
        writeFileSync(join(folder, name), text)
      // One worker for both files, which share what is outside of their environments.
      run(folder, 'env', `NODE_OPTIONS=${nodeOptions}`, 'npx', 'jest', '--runInBand', TIME_LIMIT)
    }
    return [`tests run in Jest: ${what}`, check] as const
  })
  return {
    'the package installs beside Jest'(figure) {
      mkdirSync(home)
      writeFileSync(join(home, 'package.json'), '{"private":true}')
      const others = ['jest', 'ts-jest', '@types/jest', TYPESCRIPT, ...['msw', '@types/node'].map(versioned)]
      run(home, 'npm', 'install', '--ignore-scripts', '--no-fund', '--no-audit', packed().file, ...others)
      figure(run(home, 'npm', 'ls', 'jest', 'ts-jest', 'babel-jest', '--depth=0', '--all').trim())
    },
    ...Object.fromEntries(checks),
  }
}
