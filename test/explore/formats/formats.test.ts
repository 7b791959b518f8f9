import { describe, expect, it } from 'vitest'
import { toGithub, toJunit } from '../../../src/explore/formats/ci.js'
import { toHtml } from '../../../src/explore/formats/html.js'
import { toMarkdown } from '../../../src/explore/formats/markdown.js'
import { toText } from '../../../src/explore/formats/text.js'
import { problemsOf } from '../../../src/explore/problems.js'
import { RUNS, reportedRun, reportOf } from '../reports.js'

const problems = problemsOf(RUNS, {
  waysToFind: ['list'],
  repeat: (id) => `tasksim explore --only "${id}" -- node client.js`,
  reproduce: ([run = '']) => ({ run, reason: 'It is not planned.' }),
})
const REPORT = reportOf({
  problems,
  remarks: ['The order of the requests differed.'],
  left_out: {
    max_runs: 3,
    budget: 0,
    runs: [
      { id: 'file#1.0:slow', place: 'file#1.0', deviation: 'slow' },
      { id: 'task#1:stuck', place: 'task#1', deviation: 'stuck' },
      { id: 'task#1:slower', place: 'task#1', deviation: 'slower' },
    ],
  },
  accepted: [
    { run: 'file#1.0:cut', result: 'lost_result', gone: false },
    { run: 'tasks.create#1:503', result: 'hung', gone: true },
  ],
})

function withoutColors(text: string): string {
  return text.replaceAll(/\p{Cc}\[\d+m/gu, '')
}

describe('the text format', () => {
  it('begins with the problems, the worst first, and how to repeat them', () => {
    const text = toText(REPORT)
    expect(text).toMatch(
      /^tasksim explore node client\.js\nWithout failures: 12 requests, 1 task, 5 places, \$0\.04\./,
    )
    expect(text.match(/^(?:error|warning) \w+/gm)).toEqual([
      'error hung',
      'error paid_twice',
      'error lost_result',
      'error finding',
      'warning gave_up',
    ])
    expect(text).toContain('  repeat  tasksim explore --only "tasks.create#1:lost" -- node client.js\n')
  })

  it('shows each place and deviation in a matrix, and explains its signs', () => {
    const text = toText(REPORT)
    expect(text).toContain(`requests                     503 lost cut 401 hang
tasks.create#1                .   P    P   r
tasks.retrieve#1.processing   g                H
tasks.retrieve#1.succeeded    f

webhooks                     lost
webhook:task.succeeded#1      a
`)
    expect(text).toMatch(/^P paid_twice {7}\w/m)
    expect(text).toContain('1 run with two deviations not shown')
  })

  it('ends with the remarks and the summary', () => {
    expect(toText(REPORT).split('\n').slice(-7)).toEqual([
      'The order of the requests differed.',
      '3 runs left out: raise --max-runs.',
      'Left out: file#1.0: slow; task#1: all 2.',
      'Accepted problems that no longer occur: tasks.create#1:503 (hung). Remove them from the file.',
      '',
      '10 runs: 3 ok, 6 errors, 1 warning, 1 accepted; 3 left out.',
      '',
    ])
  })

  it('fits the width of the terminal, but for commands, with and without colors', () => {
    const places = Array.from({ length: 30 }, (_, nth) => reportedRun(`tasks.create#1:deviation_${nth}`))
    const wide = { ...REPORT, runs: [...RUNS, ...places] }
    const lines = toText(wide, { columns: 80 })
      .split('\n')
      .filter((line) => !line.startsWith('  repeat'))
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
    const colored = toText(wide, { columns: 80, hasColors: true })
    expect(colored).not.toBe(toText(wide, { columns: 80 }))
    expect(withoutColors(colored)).toBe(toText(wide, { columns: 80 }))
  })

  it('hides control characters that a client has sent', () => {
    const [first, ...others] = problems
    const hostile = { ...REPORT, problems: [{ ...first, what: 'a\u001b[2Jb' }, ...others] } as typeof REPORT
    expect(toText(hostile)).toContain('a [2Jb')
  })
})

it('JUnit has a test case for each run, which fails from the given severity on unless it is accepted', () => {
  const xml = toJunit(REPORT)
  expect(xml).toContain('<testsuites tests="10" failures="6" errors="0" skipped="0" time="8.400">')
  expect(xml.match(/<testcase /g)).toHaveLength(10)
  expect(xml).toMatch(
    /name="tasks.create#1:lost"[^>]*><failure type="paid_twice" message="At tasks.create#1 the answer is lost/,
  )
  expect(xml).toContain('&gt; charged &lt;alice&gt; &amp; co')
  expect(xml).toContain('<system-out>gave_up, accepted: Our jobs run again.</system-out>')
  expect(toJunit(REPORT, 'error')).toContain('failures="5"')
  expect(toJunit(REPORT, 'never')).toContain('failures="0"')
})

it('GitHub gets an annotation for each problem, and the summary', () => {
  const lines = toGithub(REPORT).split('\n')
  expect(lines.map((line) => line.replace(/::.*::.*/, ''))).toHaveLength(problems.length + 6)
  expect(lines[1]).toMatch(
    /^::error title=tasksim explore%3A paid_twice::tasks\.create: lost, cut \(3 runs\)%0A/,
  )
  expect(lines[4]).toMatch(/^::warning title=tasksim explore%3A gave_up::/)
})

it('Markdown has the problems and a folded table of all places', () => {
  const text = toMarkdown(REPORT)
  expect(text).toContain('#### ❌ paid_twice · tasks.create: lost, cut (3 runs)')
  expect(text).toContain(
    '| `tasks.create#1` | `503` | `401` |  | `lost` paid&#95;twice, `cut` paid&#95;twice |',
  )
  expect(text).toContain('| `webhook:task.succeeded#1` |  |  | `lost` |  |')
})

it('HTML needs no other file and no script, and each cell leads to the timeline of its run', () => {
  const html = toHtml(REPORT)
  expect(html).not.toMatch(/<script|<link|<img|src=|@import|url\(/)
  const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(targets).size).toBeGreaterThan(8)
  for (const id of targets) expect(html).toContain(`<div id="${id}">`)
  expect(html.match(/<details class="run">/g)).toHaveLength(10)
  expect(html).toContain('<td>1.50 s</td><td>POST /v1/tasks → 503</td>')
  expect(html).toContain('charged &lt;alice&gt; &amp; co')
})

it('HTML that grows has a cell for each run that has not ended, and the same links as later', () => {
  const run = reportedRun('tasks.create#1:503')
  const known = [{ id: 'tasks.create#1:lost', place: 'tasks.create#1', deviation: 'lost' }, run]
  const live = { known, script: 'live.js' }
  const html = toHtml(reportOf({ runs: [run] }), live)
  expect(html).toContain('1 of 2 runs have ended.')
  expect(html).toContain('title="tasks.create#1:lost: not run yet"')
  expect(html).toContain('<script type="module" src="live.js">')
  expect(html.match(/href="#[^"]+"/g)).toEqual(['href="#run-tasks.create-1-503"'])
  expect(toHtml(REPORT)).toContain('<div id="run-tasks.create-1-503">')
})

it('a report without problems says so', () => {
  const runs = [reportedRun('tasks.create#1:503')]
  const report = reportOf({ runs, summary: { runs: 1, ok: 1, errors: 0, warnings: 0 } })
  expect(toText(report).trimEnd().split('\n').at(-1)).toBe('1 run: 1 ok, 0 errors, 0 warnings.')
  expect(toMarkdown(report)).toMatch(/^### tasksim explore: no problem\n/)
  expect(toGithub(report)).toBe('1 run: 1 ok, 0 errors, 0 warnings.\n')
})
