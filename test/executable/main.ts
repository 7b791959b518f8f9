/**
 * Builds the single executable and uses it in an empty folder, without Node on the PATH: every command that needs data or
 * native libraries. `npm run test:executable -- 24` builds it with another Node from the npm registry.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { installNode } from '../matrix/nodes.js'
import { ROOT, run, tidyUp, WORKSHOP } from '../package/workshop.js'
import { commandChecks } from './commands.js'
import { serverChecks } from './server.js'

const [range] = process.argv.slice(2)

let failed = 0
try {
  const node = range === undefined ? process.execPath : join(installNode(range).folder, 'node')
  const folder = join(WORKSHOP, 'executable')
  await runCheck('the executable is built', () => {
    run(ROOT, node, '--import', 'tsx', 'scripts/build-executable.ts')
    mkdirSync(folder)
    copyFileSync(join(ROOT, 'build/tasksim'), join(folder, 'tasksim'))
  })
  if (failed === 0)
    for (const [title, check] of Object.entries(checks(folder, node))) await runCheck(title, check)
} finally {
  tidyUp()
}
process.exitCode = failed === 0 ? 0 : 1

function checks(folder: string, node: string): Record<string, () => Promise<void> | void> {
  const hasSqlite = spawnSync(node, ['--input-type=module', '-e', "import 'node:sqlite'"]).status === 0
  return { ...commandChecks(folder), ...serverChecks(folder, hasSqlite) }
}

async function runCheck(title: string, check: () => Promise<void> | void): Promise<void> {
  const begin = performance.now()
  try {
    await check()
    process.stdout.write(`ok   ${title} (${((performance.now() - begin) / 1_000).toFixed(1)} s)\n`)
  } catch (error) {
    failed += 1
    process.stdout.write(`FAIL ${title}\n${error instanceof Error ? error.message : error}\n`)
  }
}
