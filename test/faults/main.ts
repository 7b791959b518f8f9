/**
 * Checks what holds when a part of the system fails: a leader, a standby, Redis, the network between them.
 * `npm run test:faults -- lease standby` runs only the checks whose title contains one of the words.
 */
import type { Check } from '../support/check.js'
import { chosen, harness, requirePrograms, runChecks } from '../support/runner.js'
import { requireDistribution } from '../support/server.js'
import { fullDisk } from './kills/full-disk.js'
import { killsOf } from './kills/kills.js'
import { largeFileOf } from './kills/large-file.js'
import { REDIS, SQLITE } from './kills/ledgers.js'
import { pointsOf } from './kills/points.js'
import { redisErrors } from './redis/errors.js'
import { redisLead } from './redis/lead.js'
import { redisOutages } from './redis/outages.js'
import { redisRows } from './redis/rows.js'
import { failovers } from './scale-out/failover.js'
import { partitions } from './scale-out/partitions.js'
import { sqlite } from './sqlite/on-node.js'
import { takeovers } from './standby/takeovers.js'

/** The checks in the order of the report, by the program that they need. */
const CHECKS: readonly (readonly [program: string, checks: readonly Check[]])[] = [
  ['node', [killsOf(SQLITE), pointsOf(SQLITE, [0, 1, 2, 5]), fullDisk, largeFileOf(SQLITE)]],
  [
    'redis-server',
    [
      ...[killsOf(REDIS), pointsOf(REDIS, [0, 2]), largeFileOf(REDIS)],
      ...[...redisRows, ...redisLead, ...redisOutages, ...redisErrors, ...takeovers],
    ],
  ],
  ['nginx', [...partitions, ...failovers]],
  ['npm', sqlite],
]

/** In milliseconds. */
const LONGEST = { run: 3_600_000, check: 60_000 }

await harness('test:faults', LONGEST.run, async (words) => {
  requireDistribution()
  const all = CHECKS.flatMap(([program, checks]) => checks.map((check) => ({ ...check, program })))
  const checks = chosen(all, words)
  for (const program of new Set(checks.map((check) => check.program))) requirePrograms(program, program)
  return runChecks(checks, { longest: LONGEST.check })
})
