/**
 * Builds the single executable and uses it in an empty folder, without Node on the PATH: every command that needs data or
 * native libraries. `npm run test:executable -- 24` builds it with another Node from the npm registry.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { installNode } from '../matrix/nodes.js'
import { ROOT, run, WORKSHOP } from '../package/workshop.js'
import { harness, runChecks, titled } from '../support/runner.js'
import { commandChecks } from './commands.js'
import { serverChecks } from './server.js'

/** In milliseconds. */
const LONGEST = { run: 1_800_000, check: 600_000 }

await harness('test:executable', LONGEST.run, async ([range]) => {
  const node = range === undefined ? process.execPath : join(installNode(range).folder, 'node')
  const folder = join(WORKSHOP, 'executable')
  const build = () => {
    run(ROOT, node, '--import', 'tsx', 'scripts/build-executable.ts')
    mkdirSync(folder)
    copyFileSync(join(ROOT, 'build/tasksim'), join(folder, 'tasksim'))
  }
  const built = await runChecks(titled({ 'the executable is built': build }), { longest: LONGEST.check })
  if (built.some(({ error }) => error !== undefined)) return built
  const hasSqlite = spawnSync(node, ['--input-type=module', '-e', "import 'node:sqlite'"]).status === 0
  const checks = titled({ ...commandChecks(folder), ...serverChecks(folder, hasSqlite) })
  return [...built, ...(await runChecks(checks, { longest: LONGEST.check }))]
})
