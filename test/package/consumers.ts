import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from '../support/check.js'
import type { Packed } from './pack.js'
import { ROOT, run, versioned, WORKSHOP } from './workshop.js'

/** A project that imports the package: its compiler options, the packages that it has installed, and its code. */
interface Consumer {
  readonly options: Readonly<Record<string, unknown>>
  readonly packages: readonly string[]
  /** `main.ts` by default, which is an ES module. */
  readonly file?: string
  readonly code: string
}

/** The compilers: users have the newest, and tools that need its API still have TypeScript 6. */
const COMPILERS = ['@typescript/native', 'typescript'].map((name) =>
  join(ROOT, 'node_modules', name, 'bin/tsc'),
)

const SERVER = `
import { createServer } from 'node:http'
import { createSimulator, defineScenario, type ScenarioInput } from 'tasksim'
import { connect } from 'tasksim/client'
import { createApp, listen } from 'tasksim/express'

const input: ScenarioInput = { extends: 'instant', defaults: { delay: '3s' } }
const sim = createSimulator({ scenario: defineScenario(input), clock: 'manual' })
createServer(createApp(sim))
createApp(sim).listen(0, '127.0.0.1', () => {}).close()
const { baseUrl, close } = await listen(sim, { port: 0 })
await connect(baseUrl).clock.advance('2m')
await close()
`

const BROWSER = `
import { createSimulator, verifySignature } from 'tasksim'
import { connect } from 'tasksim/client'

const sim = createSimulator({ receivers: [(request) => new Response(request.url)] })
await sim.control.clock.advance('2m')
await connect('http://127.0.0.1:4010').reset()
verifySignature('{}', null, 'secret')
`

const TESTS = `
import express from 'express'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { createSimulator } from 'tasksim'
import { createApp } from 'tasksim/express'
import { handlers } from 'tasksim/msw'
import { instrument } from 'tasksim/opentelemetry'
import { expect, simTest } from 'tasksim/vitest'

const sim = createSimulator()
instrument(sim)
setupServer(...handlers(sim, { baseUrl: 'https://api.example.com/api/v1' }))
express().use('/fake', createApp(sim, { overrides: [http.get('*/tasks', () => HttpResponse.error())] }))
simTest({ scenario: 'flaky' })('a test', ({ sim }) => {
  expect(sim).toHaveSucceeded()
})
`

/** Mistakes in TypeScript, each on its own line, with the expected compiler error. */
const MISTAKES: readonly (readonly [code: string, said: RegExp])[] = [
  [
    `createSimulator({ scenario: { defaults: { dealy: '3s' } } })`,
    /'dealy'.* Did you mean to write 'delay'\?$/,
  ],
  [
    `createSimulator({ scenario: { defaults: { delay: '2 s' } } })`,
    /'"2 s"' is not assignable to type 'DelayInput/,
  ],
  [`createSimulator({ scenaro: 'instant' })`, /'scenaro'.* Did you mean to write 'scenario'\?$/],
  [
    `defineScenario({ faults: [{ when: { oparation: 'tasks.create' }, then: 503 }] })`,
    /Did you mean to write 'operation'\?$/,
  ],
  [
    `defineScenario({ outputs: { lifetime: '5 minutes' } })`,
    /'"5 minutes"' is not assignable to type 'DurationText/,
  ],
]
const LONGEST_ERROR = 200

/** Every entry point. */
const REQUIRED = `
import { createSimulator } from 'tasksim'
import { connect } from 'tasksim/client'
import { createApp } from 'tasksim/express'
import { handlers } from 'tasksim/msw'
import { instrument } from 'tasksim/opentelemetry'
import { expect, simTest } from 'tasksim/vitest'
import schema from 'tasksim/scenario.schema.json'
import dialectSchema from 'tasksim/dialect.schema.json'
import manifest from 'tasksim/package.json'

export { connect, createApp, createSimulator, expect, handlers, instrument, simTest }
export const titles: readonly string[] = [schema.title, dialectSchema.title, manifest.name]
`

/** The type instantiations that a small file with a scenario may need. Before the types had names, it needed 174. */
const MOST_INSTANTIATIONS = 400

/** The types of MSW need the DOM library or `skipLibCheck`, as docs/library.md explains. */
const CONSUMERS: Readonly<Record<string, Consumer>> = {
  'a server without the DOM library and without MSW': {
    options: { module: 'nodenext', lib: ['ES2023'], types: ['node'] },
    packages: ['@types/node'],
    code: SERVER,
  },
  'a page without the types of Node': {
    options: { module: 'esnext', moduleResolution: 'bundler', lib: ['ES2023', 'DOM'], types: [] },
    packages: [],
    code: BROWSER,
  },
  'tests with MSW, Express and Vitest, and with the DOM library': {
    options: { module: 'nodenext', lib: ['ES2023', 'DOM'], types: ['node'] },
    packages: ['@opentelemetry/api', '@types/node', '@types/express', 'express', 'msw', 'vitest'],
    code: TESTS,
  },
  'tests with MSW, Express and Vitest, and with skipLibCheck instead': {
    options: { module: 'nodenext', lib: ['ES2023'], types: ['node'], skipLibCheck: true },
    packages: ['@opentelemetry/api', '@types/node', '@types/express', 'express', 'msw', 'vitest'],
    code: TESTS,
  },
  'every entry point, in CommonJS': {
    options: { module: 'nodenext', lib: ['ES2023'], types: ['node'], skipLibCheck: true },
    packages: ['@opentelemetry/api', '@types/node', '@types/express', 'express', 'msw', 'vitest'],
    file: 'main.cts',
    code: REQUIRED,
  },
  'every entry point, with a bundler': {
    options: {
      ...{ module: 'esnext', moduleResolution: 'bundler', resolveJsonModule: true },
      ...{ lib: ['ES2023', 'DOM'], types: ['node'], skipLibCheck: true },
    },
    packages: ['@opentelemetry/api', '@types/node', '@types/express', 'express', 'msw', 'vitest'],
    code: REQUIRED,
  },
}

/** Checks that projects that import the package compile, including the declarations of all packages. */
export function consumerChecks(packed: () => Packed): Record<string, Check['run']> {
  const checks = Object.entries(CONSUMERS).map(([what, { options, packages, file = 'main.ts', code }]) => {
    const check = () => {
      const folder = installed([packed().file, ...packages.map(versioned)])
      const compilerOptions = {
        target: 'ES2023',
        strict: true,
        skipLibCheck: false,
        noEmit: true,
        ...options,
      }
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
      writeFileSync(join(folder, file), code)
      for (const compiler of COMPILERS) run(folder, 'node', compiler)
    }
    return [`it compiles: ${what}`, check] as const
  })
  return {
    ...Object.fromEntries(checks),
    'a mistake in a scenario is an error of one line'(figure) {
      const folder = installed([packed().file, versioned('@types/node')])
      const compilerOptions = {
        target: 'ES2023',
        lib: ['ES2023'],
        module: 'nodenext',
        types: ['node'],
        strict: true,
        skipLibCheck: true,
      }
      writeFileSync(
        join(folder, 'mistakes.json'),
        JSON.stringify({ compilerOptions, files: ['mistakes.ts'] }),
      )
      for (const compiler of COMPILERS) figure(`${instantiationsOf(folder, compiler)} instantiations`)
    },
  }
}

/** Checks that the compiler reports each mistake on one line. @returns how many types it instantiates, which must be few */
function instantiationsOf(folder: string, compiler: string): number {
  const imports = "import { createSimulator, defineScenario } from 'tasksim'"
  writeFileSync(join(folder, 'mistakes.ts'), [imports, ...MISTAKES.map(([code]) => code)].join('\n'))
  const args = ['--noEmit', '--pretty', 'false', '--extendedDiagnostics', '-p', 'mistakes.json']
  const { stdout } = spawnSync('node', [compiler, ...args], { cwd: folder, encoding: 'utf8' })
  MISTAKES.forEach(([code, said], index) => {
    const line = stdout.split('\n').find((text) => text.startsWith(`mistakes.ts(${index + 2},`)) ?? ''
    if (!said.test(line) || line.length > LONGEST_ERROR)
      throw new Error(`of ${code} the compiler said: ${line}`)
  })
  const instantiations = Number(/^Instantiations:\s*(\d+)/m.exec(stdout)?.[1])
  if (!(instantiations <= MOST_INSTANTIATIONS))
    throw new Error(`${instantiations} instantiations, expected at most ${MOST_INSTANTIATIONS}`)
  return instantiations
}

/** Returns the folder of a project with some packages, installed once per set of packages. */
function installed(packages: readonly string[]): string {
  const folder = join(WORKSHOP, `consumer-of-${packages.length}`)
  if (existsSync(folder)) return folder
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  run(folder, 'npm', 'install', '--ignore-scripts', ...packages)
  return folder
}
