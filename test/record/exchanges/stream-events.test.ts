import fc from 'fast-check'
import { expect, it } from 'vitest'
import { eventsIn } from '../../../src/record/exchanges/seen-exchange.js'

const STREAM = [
  'event: a\r\ndata: {"n":1}\r\n\r\n',
  ': comment\n\n',
  'data: {"n":\ndata: 2}\n\n',
  'data: [DONE]\n\ndata: "text"\n\n',
  'id: 7\ndata:{"n":3}\n\n',
].join('')

it('the events of a stream do not depend on how it was cut', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length)), (cuts) => {
      const ends = [...new Set([...cuts, 0, STREAM.length])].sort((one, other) => one - other)
      const pieces = ends.slice(1).map((end, index) => [end, STREAM.slice(ends[index], end)] as const)
      const events = eventsIn(pieces)
      expect(events.map(({ data }) => data)).toEqual([{ n: 1 }, { n: 2 }, '[DONE]', 'text', { n: 3 }])
      expect(events.map(({ name }) => name)).toEqual(['a', undefined, undefined, undefined, undefined])
      expect(events[4]?.at).toBe(STREAM.length)
    }),
  )
})

it('an event that breaks off is not an event', () => {
  expect(eventsIn([[1, 'data: {"n":1}\n']])).toEqual([])
})
