import { describe, expect, it } from 'vitest'
import { Dialects } from '../../../src/dialects/dialects.js'
import type { ObservedTask } from '../../../src/record/history/observed-task.js'
import { learn } from '../../../src/record/learn/learn.js'
import { Traffic } from '../../../src/record/learn/traffic/traffic.js'
import { writeScenario } from '../../../src/record/scenario/write-scenario.js'
import { sampleOf } from '../../support/deep.js'
import {
  type HistoryFixture,
  hasHistory,
  historyFixture,
  observe,
  observeRecording,
  piecesOf,
} from '../histories.js'
import { recordFixture } from '../passed-history.js'

/** Where the requests of the services have prompts. */
const PROMPTS = ['prompt', 'promptText', 'input.prompt', 'instances.*.prompt', 'audio_url']

/** A HAR file does not show when the pieces of a stream arrived. */
const inOnePiece = (text: string, took: number): [number, string][] => [[took, text]]

describe.each(sampleOf(2, new Dialects().names.filter(hasHistory)))('a recording of %s', (dialect) => {
  it('contains the same tasks', async () => {
    const history = historyFixture(dialect)
    const { text } = await recordFixture(history, {}, inOnePiece)
    const { tasks } = await observe(history)
    expect((await observeRecording(text)).map(facts)).toEqual(tasks.map(facts))
  })

  it.each([
    ['whole', {}],
    ['with redacted prompts', { redact: PROMPTS }],
  ])('%s teaches the same scenario as the exchanges', async (_, settings) => {
    const history = historyFixture(dialect)
    const { text } = await recordFixture(history, settings)
    const scenario = await scenarioOf(dialect, (traffic) => observeRecording(text, traffic))
    expect(scenario).toBe(await scenarioOf(dialect, (traffic) => observeSeen(history, traffic)))
  })

  it('without bodies contains no prompt, and the same facts about tasks', async () => {
    const history = historyFixture(dialect)
    const { text: recording } = await recordFixture(history, { bodies: false }, inOnePiece)
    const { tasks } = await observe(history)
    // The URLs of files on the API itself have ids only.
    const { hosts } = await new Dialects().load(dialect)
    // The message of an error may repeat an input.
    const withoutMessage = ({ error, ...task }: ObservedTask) => ({ ...facts(task), code: error?.code })
    expect((await observeRecording(recording)).map(withoutMessage)).toEqual(tasks.map(withoutMessage))
    for (const { input, output } of tasks)
      for (const text of [...longTexts(input), ...longTexts(output)])
        if (!hosts.some(({ origin }) => text.startsWith(origin)))
          expect(recording.includes(text), text).toBe(false)
  })
})

async function observeSeen(history: HistoryFixture, traffic: Traffic): Promise<readonly ObservedTask[]> {
  return (await observe(history, traffic)).tasks
}

async function scenarioOf(
  dialect: string,
  observeAll: (traffic: Traffic) => Promise<readonly ObservedTask[]>,
): Promise<string> {
  const traffic = new Traffic(await new Dialects().load(dialect))
  const tasks = await observeAll(traffic)
  return writeScenario(await learn(piecesOf(...tasks), traffic), 'a client')
}

/** What learning needs of a task besides its input and output. */
function facts({ input, output, ...task }: ObservedTask) {
  return {
    ...task,
    hasOutput: output !== undefined,
    images: Array.isArray(output?.['images']) ? output['images'].length : 0,
    numbers: Object.values(input ?? {}).filter((value) => typeof value === 'number'),
  }
}

/** The texts in a value that are more than a word or a model. */
function longTexts(value: unknown): string[] {
  if (typeof value === 'string') return /\s|^https?:/.test(value) && value.length > 12 ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(longTexts) : []
}
