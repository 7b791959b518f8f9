import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { handlerOf } from '../../../src/hosts/msw/handlers.js'
import type { HandlersOptions } from '../../../src/hosts/msw/index.js'
import { createSimulator, parseScenario, type Simulator, type SimulatorOptions } from '../../../src/index.js'
import { ClockTimers } from '../../../src/vitest/timers/clock-timers.js'
import { deepTest, sampleOf } from '../../support/deep.js'
import { ALL_SERVICES } from './bench.js'
import { type Case, FINDINGS, REQUESTS, SPECIAL_TASKS, taskCases } from './cases.js'

const CASES: readonly Case[] = [
  ...Object.keys(ALL_SERVICES).flatMap(taskCases),
  ...SPECIAL_TASKS,
  ...REQUESTS,
  ...FINDINGS,
]
const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

describe('a test that the simulator writes', () => {
  for (const { name, write, mutate } of sampleOf(8, CASES)) {
    it(`passes, and fails with another scenario: ${name}`, async () => {
      const text = await write()
      await evaluate(text)
      const mutant = mutate(text)
      if (mutant !== text) await expect(evaluate(mutant)).rejects.toThrow()
    })
  }

  it('contains no key and no secret of the simulator', async () => {
    const secret = SPECIAL_TASKS.find(({ name }) => name.includes('one key among several'))
    const text = await secret?.write()
    expect(text).toContain('secret_for_tests_3')
    expect(text).not.toMatch(/_of_alice|_of_bob|of_mine_only/)
  })
})

describe('the files that the simulator writes', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(`${ROOT}.written-tests-`)
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  deepTest('pass in Vitest as they are, and fail with other scenarios', async () => {
    const mutants: string[] = []
    for (const kind of ['good', 'bad']) mkdirSync(`${folder}/${kind}`)
    for (const { name, write, mutate } of CASES) {
      const text = await write()
      const mutant = mutate(text)
      const file = `${name.replaceAll(/\W+/g, '-')}.test.ts`
      writeFileSync(`${folder}/good/${file}`, text)
      if (mutant === text) continue
      writeFileSync(`${folder}/bad/${file}`, mutant)
      mutants.push(file)
    }
    writeFileSync(`${folder}/vitest.config.mjs`, CONFIG)
    expect(typeErrors()).toBe('')
    expect(resultsOf('good')).toEqual({ passed: CASES.length, failed: [] })
    const { failed } = resultsOf('bad')
    expect(mutants.filter((file) => !failed.includes(file))).toEqual([])
  })

  function typeErrors(): string {
    writeFileSync(`${folder}/tsconfig.json`, TSCONFIG)
    const main = `${ROOT}node_modules/typescript/bin/tsc`
    return spawnSync(process.execPath, [main, '-p', folder], { encoding: 'utf8' }).stdout
  }

  /** Runs the files of a folder. */
  function resultsOf(kind: string): { passed: number; failed: string[] } {
    const main = `${ROOT}node_modules/vitest/vitest.mjs`
    const { stdout } = spawnSync(
      process.execPath,
      [main, 'run', '--config', `${folder}/vitest.config.mjs`, '--reporter=json', `${folder}/${kind}`],
      { cwd: folder, encoding: 'utf8', maxBuffer: 100_000_000 },
    )
    const { numPassedTests: passed, testResults } = JSON.parse(stdout.slice(stdout.indexOf('{"num')))
    const failed = (testResults as { status: string; name: string }[])
      .filter(({ status }) => status === 'failed')
      .map(({ name }) => basename(name))
    return { passed, failed }
  }
})

/** The package by its name, as in the project of a user. */
const CONFIG = `export default {
  resolve: {
    alias: [
      { find: /^tasksim$/, replacement: '${ROOT}src/index.ts' },
      { find: /^tasksim\\/vitest$/, replacement: '${ROOT}src/vitest/index.ts' },
    ],
  },
  test: { include: ['**/*.test.ts'], isolate: false },
}
`

const TSCONFIG = JSON.stringify({
  extends: '../tsconfig.json',
  compilerOptions: {
    lib: ['ES2023', 'DOM'],
    paths: { tasksim: ['../src/index.ts'], 'tasksim/vitest': ['../src/vitest/index.ts'] },
  },
  include: ['good'],
  exclude: [],
})

interface Context {
  readonly sim: Simulator
}

/** Runs the code of a written test in this process, with a fixture of its own. */
async function evaluate(text: string): Promise<void> {
  const running: Promise<void>[] = []
  const simTest =
    ({ baseUrl, dialect, ...options }: SimulatorOptions & HandlersOptions) =>
    (_: string, run: (context: Context) => Promise<void>) =>
      running.push(withServer(options, dialect === undefined ? { baseUrl } : { dialect }, run))
  const code = text.replace(/^import .*\n/gm, '').replace('(sim: Simulator): Promise<void>', '(sim)')
  new Function('parseScenario', 'expect', 'simTest', code)(parseScenario, expect, simTest)
  await Promise.all(running)
}

async function withServer(
  options: SimulatorOptions,
  at: { readonly baseUrl?: string | undefined; readonly dialect?: string },
  run: (context: Context) => Promise<void>,
): Promise<void> {
  const sim = createSimulator({ clock: 'manual', transport: async () => ({ status: 204 }), ...options })
  if (at.dialect !== undefined) await sim.dialects.load(at.dialect)
  const timers = new ClockTimers(sim)
  const track = (...reply: Parameters<ClockTimers['trackReply']>) => timers.trackReply(...reply)
  const server = setupServer(handlerOf(sim, at as HandlersOptions, track))
  server.listen({ onUnhandledRequest: 'error' })
  try {
    await run({ sim })
  } finally {
    timers.stop()
    server.close()
    sim.close()
  }
}
