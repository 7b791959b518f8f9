/**
 * Checks what holds when a part of the system fails: a leader, a standby, Redis, the network between them.
 * `npm run test:faults -- lease standby` runs only the checks whose title contains one of the words.
 */
import { spawnSync } from 'node:child_process'
import { endAll } from '../bench/children.js'
import { requireDistribution } from '../bench/distribution.js'
import type { Check } from './check.js'
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

/** The checks that need a program, in the order of the report. */
const CHECKS: readonly { readonly program?: string; readonly checks: readonly Check[] }[] = [
  { checks: [killsOf(SQLITE), pointsOf(SQLITE, [0, 1, 2, 5]), fullDisk, largeFileOf(SQLITE)] },
  {
    program: 'redis-server',
    checks: [
      killsOf(REDIS),
      pointsOf(REDIS, [0, 2]),
      largeFileOf(REDIS),
      ...redisRows,
      ...redisLead,
      ...redisOutages,
      ...redisErrors,
      ...takeovers,
    ],
  },
  { program: 'nginx', checks: [...partitions, ...failovers] },
  { program: 'npm', checks: sqlite },
]

/** The time limit of a check in milliseconds. */
const LONGEST_CHECK = 60_000

async function main(words: readonly string[]): Promise<void> {
  requireDistribution()
  let passed = 0
  let failed = 0
  for (const { program, checks } of CHECKS) {
    const chosen = checks.filter(
      ({ title }) => words.length === 0 || words.some((word) => title.includes(word)),
    )
    if (chosen.length === 0) continue
    if (program !== undefined) requireProgram(program)
    for (const check of chosen) {
      if (await passes(check)) passed += 1
      else failed += 1
    }
  }
  if (passed + failed === 0) throw new Error(`Expected words of a title, got ${JSON.stringify(words)}`)
  print(`${passed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

function requireProgram(program: string): void {
  if (spawnSync(program, ['--version']).error === undefined) return
  throw new Error(`Failed to find ${program}. Install it: apt-get install -y ${program}`)
}

async function passes(check: Check): Promise<boolean> {
  const begin = performance.now()
  const error = await failureOf(check)
  const seconds = ((performance.now() - begin) / 1_000).toFixed(1)
  print(`${error === undefined ? 'ok    ' : 'FAILED'}  ${check.title} (${seconds} s)`)
  if (error !== undefined) print(`        ${error}`)
  return error === undefined
}

async function failureOf({ run, longest = LONGEST_CHECK }: Check): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLong = new Promise<never>((_, reject) => {
    const error = new Error(`not done after ${longest / 1_000} s`)
    timer = setTimeout(() => reject(error), longest)
  })
  try {
    await Promise.race([run((text) => print(`        ${text}`)), tooLong])
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    clearTimeout(timer)
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

process.on('exit', endAll)
try {
  await main(process.argv.slice(2))
} catch (error) {
  print((error as Error).message)
  process.exitCode = 1
}
process.exit()
