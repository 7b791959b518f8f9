import { describe, expect, it } from 'vitest'
import { Dialects } from '../../src/dialects/dialects.js'
import { hasHistory, historyFixture } from './histories.js'
import { recordFixture } from './passed-history.js'

/** The forms in which a text can be hidden in another one. */
function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  // The place of a text in other text decides which characters of its base64 depend on the text alone.
  const base64 = [0, 1, 2].map((before) =>
    Buffer.from(`${'\0'.repeat(before)}${secret}`)
      .toString('base64')
      .slice(before + 1, -4),
  )
  const base64url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [
    ...new Set([
      secret,
      encoded,
      encoded.toLowerCase(),
      encodeURIComponent(encoded),
      json,
      ...base64,
      ...base64url,
    ]),
    Buffer.from(secret).toString('hex'),
  ]
}

describe.each(new Dialects().names.filter(hasHistory))('a recording of a client of %s', (dialect) => {
  const history = historyFixture(dialect)

  it.each([
    ['whole', undefined],
    ['without bodies', false],
  ] as const)('%s has no secret in any form', async (_, bodies) => {
    expect(history.secrets.filter((secret) => !history.text.includes(secret))).toEqual([])
    expect(history.secrets.length).toBeGreaterThan(2)
    const { text } = await recordFixture(history, bodies === undefined ? {} : { bodies })
    const found = history.secrets.flatMap(formsOf).filter((form) => text.includes(form))
    expect(found).toEqual([])
  })
})
