import { join } from 'node:path'
import ts from 'typescript'
import { onTestFinished } from 'vitest'
import * as client from '../../src/client/index.js'
import * as hosts from '../../src/hosts/express/index.js'
import * as mocks from '../../src/hosts/msw/index.js'
import * as tasksim from '../../src/index.js'
import * as opentelemetry from '../../src/opentelemetry/index.js'
import * as fixture from '../../src/vitest/index.js'
import { folderWith } from '../cli/run.js'
import { hasSqlite } from '../support/has-sqlite.js'

type Test = (context: object) => unknown

/** The tests in a block of a page, with their hooks. */
class Runner {
  readonly #tests: Test[] = []
  readonly #before: Test[] = []
  readonly #after: Test[] = []
  readonly test = Object.assign((_: string, run: Test) => void this.#tests.push(run), { extend: () => {} })
  readonly before = (run: Test) => void this.#before.push(run)
  readonly after = (run: Test) => void this.#after.push(run)

  async run(): Promise<void> {
    for (const step of [...this.#before, ...this.#tests, ...this.#after]) await step({})
  }
}

/** Returns all modules that a block may import, with fakes for browser modules and missing packages. */
async function modulesFor(runner: Runner): Promise<Readonly<Record<string, object>>> {
  const { before, after, test } = runner
  return {
    tasksim: { ...tasksim, createSimulator: tidySimulator },
    'tasksim/client': client,
    'tasksim/express': { ...hosts, listen: tidyListen },
    'tasksim/msw': mocks,
    'tasksim/opentelemetry': opentelemetry,
    'tasksim/vitest': fixture,
    '@fal-ai/client': await import('@fal-ai/client'),
    '@opentelemetry/sdk-trace': await import('@opentelemetry/sdk-trace'),
    msw: await import('msw'),
    'msw/node': await import('msw/node'),
    'msw/browser': { setupWorker: () => ({ start: async () => {} }) },
    'node:crypto': await import('node:crypto'),
    'node:test': { before, after, afterEach: after, test },
    '@playwright/test': { defineConfig: (config: object) => config },
  }
}

function tidySimulator(options?: tasksim.SimulatorOptions): tasksim.Simulator {
  const sim = tasksim.createSimulator(options)
  onTestFinished(() => sim.close())
  return sim
}

/** Puts ledgers into a folder of the test. Without SQLite, the server has none. */
async function tidyListen(
  sim: tasksim.Simulator,
  { ledger, ...options }: hosts.ListenOptions = {},
): Promise<hosts.RunningServer> {
  const path = typeof ledger === 'string' && hasSqlite ? join(folderWith(), ledger) : undefined
  const server = await hosts.listen(sim, { ...options, ...(path !== undefined && { ledger: path }) })
  onTestFinished(() => server.close())
  return server
}

const AsyncFunction = (async () => {}).constructor as new (
  ...source: string[]
) => (...args: unknown[]) => unknown

/** Runs a block of TypeScript or JavaScript with the names that it assumes, and the tests that it defines. */
export async function runBlock(text: string, granted: Readonly<Record<string, unknown>>): Promise<void> {
  const runner = new Runner()
  const modules = {
    ...(await modulesFor(runner)),
    // The files of the reader.
    'node:fs/promises': { readFile: granted['readFile'] },
  }
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2023,
      esModuleInterop: true,
    },
  })
  const all = {
    createSimulator: tidySimulator,
    listen: tidyListen,
    test: runner.test,
    ...granted,
    exports: {},
    require: (name: string) => (modules as Readonly<Record<string, object>>)[name] ?? missing(name),
  }
  // A separate scope, so that a block may redefine the names that it could assume.
  await new AsyncFunction(...Object.keys(all), `{${outputText}\n}`)(...Object.values(all))
  await runner.run()
}

function missing(name: string): never {
  throw new Error(`No block can import ${name} here: add it to test/docs/stage.ts`)
}
