/**
 * Attacks the compiled server, with a new server for each attack, and prints the measurements.
 * `npm run test:hostile -- memory stalls` runs only the attacks whose title contains one of the words.
 */

import type { Check } from '../support/check.js'
import { chosen, harness, runChecks } from '../support/runner.js'
import { requireDistribution } from '../support/server.js'
import { brokenHandlers } from './attacks/broken-handlers.js'
import { clock } from './attacks/clock.js'
import { compressionBomb } from './attacks/compression-bomb.js'
import { dialectBodies } from './attacks/dialect-bodies.js'
import { earlyAnswers } from './attacks/early-answers.js'
import { forms } from './attacks/forms.js'
import { headers } from './attacks/headers.js'
import { importedState } from './attacks/imported-state.js'
import { interception } from './attacks/interception.js'
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
const ATTACKS: readonly Check[] = [
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
  interception,
  importedState,
  ...scenarioText,
  templates,
  ...patterns,
  compressionBomb,
  slowReceiver,
  webhookTargets,
  ...headers,
  ...clock,
]

/** In milliseconds. */
const LONGEST = { run: 3_600_000, check: 300_000 }

await harness('test:hostile', LONGEST.run, (words) => {
  requireDistribution()
  return runChecks(chosen(ATTACKS, words), { longest: LONGEST.check })
})
