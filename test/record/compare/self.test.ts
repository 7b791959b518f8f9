import { describe, expect, it } from 'vitest'
import { Dialects } from '../../../src/dialects/dialects.js'
import { compare } from '../../../src/record/compare/compare.js'
import { recordedExchanges } from '../../../src/record/compare/recorded-exchanges.js'
import { piecesOf } from '../histories.js'
import { RECORDED_SERVICES } from '../replay/recorded-services.js'
import { recordService } from './recorded-service.js'

describe.each(Object.keys(RECORDED_SERVICES))('a recording of %s', (name) => {
  it('is equal to its dialect', async () => {
    const entries = await recordService(name, 'compare')
    const dialect = await new Dialects().load(name)
    const { differences } = await compare(recordedExchanges(piecesOf(...entries)), dialect)
    expect(
      differences.map(
        ({ kind, operation, field, states, expected, got, count }) =>
          `${kind} ${operation} ${field} ${states} want ${expected} got ${got} x${count}`,
      ),
    ).toEqual([])
  })
})
