import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import type { DialectTable } from '../../src/dialects/table/dialect-table.js'

/** Tests of a wrong wire format may wait forever, and are stopped after these milliseconds. */
const LONGEST_RUN = 60_000

/**
 * Runs the tests of a dialect: those of its official client, then its golden exchanges.
 * @param table its description; the right one if undefined
 * @returns the title of the first test that fails; undefined if all pass
 */
export async function failingTest(
  dialect: string,
  table: DialectTable | undefined,
): Promise<string | undefined> {
  const vitest = await openVitest(dialect, table)
  try {
    return (
      (await failureIn(vitest, `test/dialects/${dialect}`)) ??
      (await failureIn(vitest, 'test/dialects/exchanges'))
    )
  } finally {
    await vitest.close()
  }
}

function openVitest(dialect: string, table: DialectTable | undefined): Promise<Vitest> {
  const file = fileURLToPath(new URL(`../../src/dialects/files/${dialect}.generated.ts`, import.meta.url))
  const replaceTable: Plugin = {
    name: 'replace-table',
    enforce: 'pre',
    transform: (_code, id) =>
      id === file && table !== undefined
        ? { code: `export const TABLE = ${JSON.stringify(table)}`, map: null }
        : undefined,
  }
  const options = { watch: false, reporters: [{}], bail: 1, fileParallelism: false, teardownTimeout: 1_000 }
  // The cache of compiled modules would return the right description.
  const experimental = { fsModuleCache: false }
  return createVitest('test', { ...options, experimental, testTimeout: 10_000 }, { plugins: [replaceTable] })
}

async function failureIn(vitest: Vitest, files: string): Promise<string | undefined> {
  const all = await vitest.globTestSpecifications([files])
  if (all.length === 0) throw new Error(`There are no tests in ${files}.`)
  const timeout = new AbortController()
  const result = await Promise.race([
    vitest.runTestSpecifications(all),
    setTimeout(LONGEST_RUN, undefined, { signal: timeout.signal }),
  ])
  timeout.abort()
  if (result === undefined) return 'a test that does not end'
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
