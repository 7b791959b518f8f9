import { once } from 'node:events'
import { isBuiltin } from 'node:module'
import { environmentOf, installNode } from '../../matrix/nodes.js'
import { ROOT } from '../../package/workshop.js'
import type { Check } from '../../support/check.js'
import { launch } from '../../support/processes.js'

const FILES = ['test/ledger/sqlite', 'test/cli/ledger', 'test/cli/state']

/** The tests of ledgers in SQLite, at full strength: servers are killed, and disks are full. */
export const sqlite: readonly Check[] = [
  {
    title: 'sqlite: a ledger in a file survives kill -9, a second process, a full disk and a damaged file',
    async run(figure) {
      const env = isBuiltin('node:sqlite') ? process.env : environmentOf(installNode('24'))
      const vitest = launch('node', ['node_modules/vitest/vitest.mjs', 'run', '--mode', 'deep', ...FILES], {
        cwd: ROOT,
        env: { ...env, NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let output = ''
      for (const stream of [vitest.stdout, vitest.stderr])
        stream?.on('data', (piece) => {
          output += piece
        })
      const [status] = await once(vitest, 'close')
      if (status !== 0) throw new Error(`The tests failed:\n${output}`)
      figure(/Tests .*/.exec(output)?.[0] ?? '')
    },
  },
]
