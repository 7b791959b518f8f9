import { describe, expect, it } from 'vitest'
import { Dialects } from '../../../src/dialects/dialects.js'
import { parseRecording } from '../../../src/index.js'
import { readRecorded } from '../../../src/record/exchanges/recorded-entries.js'
import { learn } from '../../../src/record/learn/learn.js'
import type { RecordingEntry } from '../../../src/record/recording/recording.js'
import { writeScenario } from '../../../src/record/scenario/write-scenario.js'
import { sampleOf } from '../../support/deep.js'
import { headersFor, idIn } from '../../support/services.js'
import { HOOK, record, type Served, serve } from './real-service.js'
import { RECORDED_SERVICES } from './recorded-services.js'

const WORD = 'gave_up'
/** A service without words shows states by fields, or the end by a file or a rejection. */
const NAMES = Object.keys(RECORDED_SERVICES).filter((name) => !['google', 'stability'].includes(name))

/** Creates a task and polls it before and after its end, also in a list. Returns the answers as texts. */
async function run({ sim, send }: Pick<Served, 'sim' | 'send'>, name: string): Promise<string[]> {
  const service = RECORDED_SERVICES[name] ?? expect.unreachable()
  const headers = headersFor(service)
  const ask = async (path: string, init?: RequestInit) => {
    const response = await send(service.origin + path, { headers, ...init })
    return response.text()
  }
  const body = { ...service.body, ...(service.hook && { [service.hook]: HOOK }) }
  const created = await ask(service.create, { method: 'POST', body: JSON.stringify(body) })
  const id = idIn(service, JSON.parse(created))
  const answers = [created]
  for (const wait of ['1s', '1m', '1m'] as const) {
    await sim.clock.advance(wait)
    answers.push(await ask(service.task(id)))
  }
  if (service.list !== undefined) answers.push(await ask(service.list))
  return answers.map((text) => JSON.stringify(JSON.parse(text)))
}

/** A recording of a task whose end, in answers, lists and webhooks, has a word that its dialect does not know. */
async function recorded(name: string, outcome: 'succeeded' | 'failed') {
  const dialect = await new Dialects().load(name)
  const { words, status, otherStatuses = [] } = dialect.answers
  const fields = [status, ...otherStatuses].join('|')
  const ended = Object.keys(words).filter((word) => words[word] === outcome || words[word] === 'succeeded')
  const rename = (text: string) =>
    text.replace(new RegExp(`"(${fields})":"(?:${ended.join('|')})"`, 'g'), `"$1":"${WORD}"`)
  const real = record(name, { scenario: { defaults: { delay: '20s' }, rules: [{ then: { outcome } }] } })
  const answers = (await run(real, name)).map(rename)
  const entries: RecordingEntry[] = real.entries.map((entry) => JSON.parse(rename(JSON.stringify(entry))))
  real.entries.splice(0, Infinity, ...entries)
  return { dialect, entries, text: real.text(), answers, webhooks: real.webhooks.map(rename) }
}

async function* each(entries: readonly RecordingEntry[]) {
  yield* entries
}

describe.each(sampleOf(3, NAMES))('a recorded task of %s that ends with an unknown word', (name) => {
  it.each(['succeeded', 'failed'] as const)(
    'is replayed word for word, like one that %s',
    async (outcome) => {
      const { text, answers, webhooks } = await recorded(name, outcome)
      expect(answers.join('')).toContain(WORD)
      const replay = serve(name, { scenario: await parseRecording(text) })
      const signature = /\?expires=\d+&signature=\w+/g
      expect((await run(replay, name)).map((answer) => answer.replace(signature, ''))).toEqual(
        answers.map((answer) => answer.replace(signature, '')),
      )
      expect(replay.webhooks.map((body) => body.includes(WORD))).toEqual(
        webhooks.map((body) => body.includes(WORD)),
      )
    },
  )

  it('is counted by its word', async () => {
    const { dialect, entries } = await recorded(name, 'failed')
    // The webhooks of some services have other words, which are known.
    const answered = entries.filter(({ type }) => type !== 'webhook')
    const learned = await learn(readRecorded(each(answered), dialect))
    expect(learned.models.map(({ counts }) => counts)).toEqual([
      { all: 1, succeeded: 0, failed: 0, canceled: 0, unfinished: 0, unknown: { [WORD]: 1 } },
    ])
    expect(writeScenario(learned, 'a recording')).toContain(
      `1 task ended with the word "${WORD}", which the dialect does not know`,
    )
  })
})
