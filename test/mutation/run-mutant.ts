/**
 * Runs the tests of a dialect with one mistake: those of its official client, then its golden exchanges. The arguments
 * are the name of the dialect and the number of the mutant; without a number, there is no mistake. It prints the title
 * of the first test that fails.
 */
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { FILES } from '../../src/dialects/files/index.generated.js'
import type { DialectTable } from '../../src/dialects/table/dialect-table.generated.js'
import { commonOptions } from '../../vitest.config.js'
import { mutantsOf } from './mutants.js'

const [name = '', index] = process.argv.slice(2)
const file = FILES.find((each) => each.name === name)
if (file === undefined) throw new Error(`There is no dialect ${name}.`)
const mutant = index === undefined ? undefined : mutantsOf((await file.load()).TABLE)[Number(index)]
const vitest = await openVitest(name, mutant?.table)
let failed: string | undefined
for (const files of [name, 'exchanges']) failed ??= await failureIn(vitest, `test/dialects/${files}`)
process.stdout.write(failed === undefined ? 'PASSED\n' : `FAILED ${failed}\n`)
process.exit(0)

function openVitest(dialect: string, table: DialectTable | undefined): Promise<Vitest> {
  const file = fileURLToPath(new URL(`../../src/dialects/files/${dialect}.generated.ts`, import.meta.url))
  const replaceTable: Plugin = {
    name: 'replace-table',
    enforce: 'pre',
    // All other modules come from the cache of compiled modules, which also the tests without a mistake use.
    api: { vitest: { experimental: { ignoreFsModuleCache: true } } },
    configureVitest: ({ experimental_defineCacheKeyGenerator: decide }) =>
      decide(({ id }) => (id === file ? false : undefined)),
    transform: (_code, id) =>
      id === file && table !== undefined
        ? { code: `export const TABLE = ${JSON.stringify(table)}`, map: null }
        : undefined,
  }
  const { globalSetup: _, ...common } = commonOptions('test')
  const options = {
    ...common,
    // Without the file of the configuration: its projects would not have the plugin.
    config: false as const,
    watch: false,
    reporters: [{}],
    bail: 1,
    fileParallelism: false,
    isolate: false,
    include: ['test/dialects/*.test.ts'],
    testTimeout: 10_000,
    teardownTimeout: 1_000,
  }
  return createVitest('test', options, { plugins: [replaceTable] })
}

async function failureIn(vitest: Vitest, files: string): Promise<string | undefined> {
  const all = await vitest.globTestSpecifications([files])
  if (all.length === 0) throw new Error(`There are no tests in ${files}.`)
  const result = await vitest.runTestSpecifications(all)
  const [error] = result.unhandledErrors
  return failureOf(result.testModules) ?? (error === undefined ? undefined : String(error))
}

function failureOf(modules: readonly TestModule[]): string | undefined {
  for (const module of modules) {
    for (const test of module.children.allTests('failed')) return test.fullName
    if (!module.ok()) return `${module.moduleId} cannot be loaded`
  }
  return undefined
}
