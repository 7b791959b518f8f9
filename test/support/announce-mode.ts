import { spawnSync } from 'node:child_process'
import { isBuiltin } from 'node:module'
import type { TestProject } from 'vitest/node'

/** Prints why tests are skipped. */
export default function announceMode(project: TestProject): void {
  if (project.config.provide.isDeep !== true)
    print(
      'Files *.deep.test.ts and tests marked deepTest are skipped, samples are small, and suites run on one host: `npm run test:deep` runs everything.',
    )
  const hasCurl = spawnSync('curl', ['--version']).status === 0
  project.provide('hasCurl', hasCurl)
  if (!hasCurl) print('Tests marked curlTest are skipped, because curl is not installed.')
  const hasSqlite = isBuiltin('node:sqlite')
  project.provide('hasSqlite', hasSqlite)
  if (!hasSqlite)
    print(
      `Tests of ledgers in SQLite are skipped: they need Node 22.13, and this is ${process.versions.node}.`,
    )
}

/** The lines that were printed: each project of the configuration loads this file anew. */
const PRINTED: Set<string> = Object.assign(globalThis, {
  printed: Reflect.get(globalThis, 'printed') ?? new Set(),
}).printed

function print(line: string): void {
  if (PRINTED.has(line)) return
  PRINTED.add(line)
  process.stdout.write(`${line}\n`)
}
