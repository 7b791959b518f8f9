import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from '../support/check.js'
import type { Packed } from './pack.js'
import { ENVIRONMENT, ROOT, WORKSHOP } from './workshop.js'

const LONGEST_DRY_RUN = 120_000

/** Checks what `npm publish` would send, without sending it. */
export function publishChecks(packed: () => Packed): Record<string, Check['run']> {
  return {
    'npm would publish the tarball for everybody, with its provenance, and under the newest version of the changelog'() {
      const { file, paths } = packed()
      // A tarball has no scripts to run. npm warns if nobody is logged in, and needs no network.
      const { status, stdout, stderr } = spawnSync('npm', ['publish', file, '--dry-run', '--json'], {
        cwd: WORKSHOP,
        env: ENVIRONMENT,
        encoding: 'utf8',
        timeout: LONGEST_DRY_RUN,
      })
      if (status !== 0) throw new Error(`npm publish --dry-run ended with ${status}: ${stderr}`)
      const { version, publishConfig } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
      const told = JSON.parse(stdout)
      const { id, files } = told.tasksim ?? told
      expectEqual('package', id, `tasksim@${version}`)
      expectEqual('files', files.map(({ path }: { path: string }) => path).sort(), [...paths].sort())
      expectEqual('publishConfig', publishConfig, { access: 'public', provenance: true })
      if (!/with tag latest and public access/.test(stderr)) throw new Error(`npm printed ${stderr}`)
      const [, newest] = /^## (\S+)/m.exec(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')) ?? []
      expectEqual('newest version of CHANGELOG.md', newest, version)
    },
  }
}

function expectEqual(what: string, given: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(given), JSON.stringify(expected)]
  if (one !== other) throw new Error(`Expected the ${what} to be ${other}, got ${one}`)
}
