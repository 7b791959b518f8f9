/**
 * Attacks the compiled server, with a new server for each attack, and prints the measurements.
 * `npm run test:hostile -- memory stalls` runs only the attacks whose title contains one of the words.
 */
import { endAll } from '../bench/children.js'
import { requireDistribution } from '../bench/distribution.js'
import type { Attack } from './attack.js'
import { brokenHandlers } from './attacks/broken-handlers.js'
import { compressionBomb } from './attacks/compression-bomb.js'
import { dialectBodies } from './attacks/dialect-bodies.js'
import { earlyAnswers } from './attacks/early-answers.js'
import { forms } from './attacks/forms.js'
import { headers } from './attacks/headers.js'
import { importedState } from './attacks/imported-state.js'
import { largeFiles } from './attacks/large-files.js'
import { memory } from './attacks/memory.js'
import { parts } from './attacks/parts.js'
import { patterns } from './attacks/patterns.js'
import { recorder } from './attacks/recorder.js'
import { recordings } from './attacks/recordings.js'
import { requestBodies } from './attacks/request-bodies.js'
import { scenarioText } from './attacks/scenario-text.js'
import { slowReceiver } from './attacks/slow-receiver.js'
import { templates } from './attacks/templates.js'
import { webhookTargets } from './attacks/webhook-targets.js'

/** The attacks in the order of the report. */
const ATTACKS: readonly Attack[] = [
  brokenHandlers,
  earlyAnswers,
  forms,
  parts,
  largeFiles,
  ...memory,
  requestBodies,
  dialectBodies,
  ...recordings,
  ...recorder,
  importedState,
  ...scenarioText,
  templates,
  ...patterns,
  compressionBomb,
  slowReceiver,
  webhookTargets,
  ...headers,
]

/** The time limit of an attack in milliseconds. */
const LONGEST_ATTACK = 300_000

async function main(words: readonly string[]): Promise<void> {
  requireDistribution()
  const chosen = ATTACKS.filter(
    ({ title }) => words.length === 0 || words.some((word) => title.includes(word)),
  )
  if (chosen.length === 0) throw new Error(`Expected words of a title, got ${JSON.stringify(words)}`)
  let failed = 0
  for (const attack of chosen) {
    const begin = performance.now()
    const error = await failureOf(attack)
    const seconds = ((performance.now() - begin) / 1_000).toFixed(1)
    print(`${error === undefined ? 'ok    ' : 'FAILED'}  ${attack.title} (${seconds} s)`)
    if (error === undefined) continue
    print(`        ${error}`)
    failed += 1
  }
  print(`${chosen.length - failed} passed, ${failed} failed`)
  process.exitCode = failed > 0 ? 1 : 0
}

async function failureOf({ run }: Attack): Promise<string | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLong = new Promise<never>((_, reject) => {
    const error = new Error(`not done after ${LONGEST_ATTACK / 1_000} s`)
    timer = setTimeout(() => reject(error), LONGEST_ATTACK)
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
