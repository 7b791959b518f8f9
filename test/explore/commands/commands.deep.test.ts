import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import type { ExplorationReport } from '../../../src/explore/report.js'
import { start } from '../../cli/run.js'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const LIMIT = 300_000
/** Each is another thing for the client to do; all of them would take minutes for each command. */
const DEVIATIONS = '503,lost,cut,html,hang,duplicate,wrong_signature,failed'

/** A batch does the same with each of its three tasks. */
const SECOND = ['--places', '*#2*']

it.each([
  ['poll.py', []],
  ['batch.py', SECOND],
  ['webhook.py', []],
  ['poll.mjs', []],
  ['batch.mjs', SECOND],
  ['list.mjs', []],
])('the correct command %s has no problems', { timeout: LIMIT }, async (file, options) => {
  const program = file.endsWith('.py') ? 'python3' : process.execPath
  const { ended, stdout, stderr } = start(FOLDER, [
    'explore',
    '--format',
    'json',
    // Most of its time, a command waits.
    '--jobs',
    '4',
    ...options,
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
})
