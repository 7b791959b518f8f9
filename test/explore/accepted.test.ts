import { describe, expect, it } from 'vitest'
import { readAccepted, writeAccepted } from '../../src/explore/excused-runs.js'
import type { ReportedRun } from '../../src/explore/report.js'

const run = (id: string, result: ReportedRun['result'], ok = false) => ({ id, result, ok }) as ReportedRun

describe('the accepted problems', () => {
  it('are read from YAML', () => {
    const text =
      '- { run: tasks.create#1:lost, result: paid_twice, because: ticket 12 }\n- run: "tasks.create#1\'2:503"\n  result: hung\n'
    expect(readAccepted(text)).toEqual([
      { run: 'tasks.create#1:lost', result: 'paid_twice', because: 'ticket 12' },
      { run: "tasks.create#1'2:503", result: 'hung' },
    ])
    expect(readAccepted('# none\n')).toEqual([])
  })

  it.each([
    [
      '- { run: a, result: payd_twice }',
      'explore.yaml:1:21: [0].result: got "payd_twice"; did you mean `paid_twice`?',
    ],
    [
      '- { run: a, result: hung, becuse: x }',
      'explore.yaml:1:27: [0].becuse: unknown field `becuse`; did you mean `because`?',
    ],
    ['run: a', 'explore.yaml:1:1: got {"run":"a"}; expected a list of `{ run, result, because? }`'],
    ['- [', 'explore.yaml:'],
  ])('are rejected with the position of the mistake: %s', (text, message) => {
    expect(() => readAccepted(text)).toThrow(message)
  })

  it('are written with the reasons that they have, without those that have gone', () => {
    const before = [
      { run: 'a:lost', result: 'paid_twice', because: 'ticket 12' },
      { run: 'b:503', result: 'gave_up' },
      { run: 'c:cut', result: 'hung' },
      { run: 'd:404', result: 'hung', because: 'not explored' },
    ] as const
    const report = {
      runs: [run('a:lost', 'paid_twice'), run('b:503', 'recovered', true), run('e:html', 'crashed')],
      accepted: [
        { run: 'b:503', result: 'gave_up', gone: true },
        { run: 'c:cut', result: 'hung', gone: true },
      ],
    } as const
    const text = writeAccepted(report, before)
    expect(text).toMatch(/^# /)
    expect(readAccepted(text)).toEqual([
      { run: 'd:404', result: 'hung', because: 'not explored' },
      { run: 'a:lost', result: 'paid_twice', because: 'ticket 12' },
      { run: 'e:html', result: 'crashed' },
    ])
    expect(writeAccepted({ runs: [], accepted: [] })).toMatch(/\[\]\n$/)
  })
})
