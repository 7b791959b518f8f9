/**
 * Checks that the clients of all runtimes reach tasksim under `exec --intercept` without a change, and that nothing else
 * leaves the machine: in a network namespace that has only the loopback interface, where the system permits that.
 * `npm run test:intercept -- Python folder` runs only the checks whose title contains one of the words.
 */
import type { Check } from '../support/check.js'
import { chosen, harness, print, requirePrograms, runOnLanes } from '../support/runner.js'
import { requireDistribution } from '../support/server.js'
import { clientChecks } from './clients.js'
import { costCheck } from './cost.js'
import { folderChecks } from './folders.js'
import { canBeOffline, isOffline, offlineCheck, runOffline } from './offline.js'
import { processChecks } from './programs.js'
import { install, installedBefore } from './runtimes.js'

/** In milliseconds. */
const LONGEST = { run: 600_000, check: 60_000 }
const DEBIAN =
  'python3-requests python3-httpx python3-aiohttp ruby php-cli php-curl golang-go default-jdk-headless curl wget'

await harness('test:intercept', LONGEST.run, async (words) => {
  requireDistribution()
  requirePrograms(DEBIAN, 'python3', 'ruby', 'php', 'javac', 'curl', 'wget')
  const runtimes = installedBefore() ?? install()
  if (!isOffline() && canBeOffline()) {
    process.exitCode = await runOffline(runtimes, words)
    return undefined
  }
  if (!isOffline()) print('NOT in a network namespace: this system does not permit `unshare -n`')
  const checks: readonly Check[] = [
    ...(isOffline() ? [offlineCheck] : []),
    ...clientChecks(runtimes),
    ...processChecks(runtimes),
    ...folderChecks,
  ]
  // Most of a check is the start of programs, one after the other.
  const selected = chosen([...checks, costCheck], words)
  const atOnce = selected.filter((check) => check !== costCheck)
  const alone = selected.filter((check) => check === costCheck)
  return [
    ...(await runOnLanes([atOnce, atOnce], { longest: LONGEST.check })),
    ...(await runOnLanes([alone], { longest: LONGEST.check })),
  ]
})
