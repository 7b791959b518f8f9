import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Dialects } from '../../../src/dialects/dialects.js'
import type { JsonValue } from '../../../src/engine/json.js'
import { parseRecording } from '../../../src/index.js'
import type { PassedExchange } from '../../../src/record/recording/passed-exchange.js'
import type { ExchangeEntry } from '../../../src/record/recording/recording.js'
import { advanceUntilDone } from '../../support/advance-until-done.js'
import { sampleOf } from '../../support/deep.js'
import { hasHistory, historyFixture } from '../histories.js'
import { passedEntries, recordFixture } from '../passed-history.js'
import { type Served, serve } from './real-service.js'

/** The URLs of output files, which are those of the simulator. */
const FILE = /^https?:\/\/[^"]+\/files\/[^"]+\?expires=\d+&signature=\w+$/
const TURNS = 20

/** A request of a history, and its recorded answer. */
interface Asked {
  readonly passed: PassedExchange
  readonly entry: ExchangeEntry
}

describe.each(sampleOf(2, new Dialects().names.filter(hasHistory)))(
  'a recording of a client of %s',
  (dialect) => {
    it('answers the same requests in the same way', async () => {
      const history = historyFixture(dialect)
      const { text, entries } = await recordFixture(history)
      const ids = history.tasks.map(({ id }) => id)
      const asked = passedEntries(history).flatMap(({ passed }, index): Asked[] => {
        const entry = entries[index]
        return entry?.type === 'exchange' && isAboutTask(entry, ids) ? [{ passed, entry }] : []
      })
      expect(asked.length).toBeGreaterThan(2 * ids.length)
      const start = new Date(asked[0]?.passed.at ?? 0).toISOString()
      const service = serve(dialect, { scenario: await parseRecording(text), start })
      const answers: Promise<string[]>[] = []
      for (const each of asked) {
        await service.sim.clock.advanceTo(Math.max(each.passed.at, service.sim.clock.now()))
        answers.push(ask(service, each))
        for (let turn = 0; turn < TURNS; turn++) await setImmediate()
      }
      expect((await advanceUntilDone(service.sim, Promise.all(answers))).flat()).toEqual([])
    })
  },
)

/** Whether an exchange creates, polls or cancels a task, or gets its result. */
function isAboutTask({ request: { method, url }, response }: ExchangeEntry, ids: readonly string[]): boolean {
  const { body, pieces } = response ?? {}
  const answer = JSON.stringify(body ?? pieces ?? '')
  const isOther = method === 'DELETE' || /[?]limit=|\/content|webhooks|\/srt$|\/stream\//.test(url)
  return (
    !isOther && (response?.status ?? 0) < 300 && ids.some((id) => answer.includes(id) || url.includes(id))
  )
}

/** Repeats a request. @returns how its answer differs from the recorded one */
async function ask({ send }: Served, { passed: { request }, entry }: Asked): Promise<string[]> {
  const { method, url, headers, body } = request
  const sent = body.length === 0 ? {} : { body: new TextDecoder().decode(body) }
  const response = await send(url, { method, headers, ...sent })
  const { status, body: recorded, pieces } = entry.response ?? {}
  const got = await response.text()
  const isSame =
    pieces === undefined
      ? response.status === status &&
        isRepeated(recorded !== undefined && 'json' in recorded ? recorded.json : null, JSON.parse(got))
      : got === pieces.map(([, text]) => text).join('')
  return isSame
    ? []
    : [`${method} ${url}: ${response.status} ${got}; ${status} ${JSON.stringify(recorded ?? pieces)}`]
}

/** Whether two values are equal, apart from the URLs of output files. */
function isRepeated(recorded: JsonValue | undefined, repeated: JsonValue | undefined): boolean {
  if (typeof recorded !== 'object' || recorded === null)
    return (
      recorded === repeated ||
      (typeof recorded === 'string' && URL.canParse(recorded) && FILE.test(String(repeated)))
    )
  if (typeof repeated !== 'object' || repeated === null) return false
  const [one, other] = [Object.entries(recorded), Object.entries(repeated)]
  return (
    one.length === other.length &&
    one.every(([name, value], index) => other[index]?.[0] === name && isRepeated(value, other[index]?.[1]))
  )
}
