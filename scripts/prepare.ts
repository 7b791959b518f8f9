/**
 * Builds the package after `npm ci`. `npx tasksim` in a clone runs this script as well: it must not replace `dist`, which
 * a running server may be reading.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const isBuilt = existsSync(new URL('../dist/cli/main.js', import.meta.url))
if (process.env['npm_command'] !== 'exec' || !isBuilt) {
  const { status } = spawnSync('npm run build', { shell: true, stdio: 'inherit' })
  process.exitCode = status ?? 1
}
