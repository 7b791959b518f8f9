import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { ExplorationReport } from '../../../src/explore/report.js'
import { start } from '../../cli/run.js'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const LIMIT = 300_000
/** Each is another thing for the client to do; all of them would take minutes for each command. */
const DEVIATIONS = '503,lost,cut,html,hang,duplicate,wrong_signature,failed'

it.each(['poll.py', 'batch.py', 'webhook.py', 'poll.mjs', 'batch.mjs', 'list.mjs'])(
  'the correct command %s has no problems',
  { timeout: LIMIT },
  async (file) => {
    const program = file.endsWith('.py') ? 'python3' : process.execPath
    const { ended, stdout, stderr } = start(FOLDER, [
      'explore',
      '--format',
      'json',
      '--jobs',
      '2',
      // To measure it would take longer than all other runs.
      '--patience',
      '15m',
      '--deviations',
      DEVIATIONS,
      '--',
      program,
      file,
    ])
    const status = await ended
    expect(stdout(), stderr()).not.toBe('')
    const { problems } = JSON.parse(stdout()) as ExplorationReport
    expect(problems.map(({ result, runs, what }) => `${result} ${runs.join(' ')}: ${what}`)).toEqual([])
    expect(status).toBe(0)
  },
)
