import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { type Check, expectEqual } from '../support/check.js'
import { launch } from '../support/processes.js'
import { INSTALLED, type Runtimes } from './runtimes.js'

/** Runs a command in a network namespace of its own, whose only interface is that of the machine itself. */
const OFFLINE = ['unshare', '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'] as const

const VARIABLE = 'TASKSIM_TEST_OFFLINE'

/** Whether this process runs in such a namespace. */
export function isOffline(): boolean {
  return process.env[VARIABLE] === '1'
}

/** Whether this user may make network namespaces. */
export function canBeOffline(): boolean {
  const [program, ...args] = OFFLINE
  return spawnSync(program, [...args, 'true']).status === 0
}

/** Runs the checks in a network namespace. @returns the exit status */
export async function runOffline(runtimes: Runtimes, words: readonly string[]): Promise<number> {
  const [program, ...args] = OFFLINE
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const child = launch(program, [...args, process.execPath, '--import', 'tsx', main, ...words], {
    stdio: 'inherit',
    env: { ...process.env, [VARIABLE]: '1', [INSTALLED]: JSON.stringify(runtimes) },
  })
  const [status] = await once(child, 'exit')
  return status ?? 1
}

export const offlineCheck: Check = {
  title: 'the network of these checks has only the loopback interface',
  run() {
    expectEqual('the interfaces', Object.keys(networkInterfaces()), ['lo'])
  },
}
