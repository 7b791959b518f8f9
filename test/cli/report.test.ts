import { expect, it } from 'vitest'
import { clockNote } from '../../src/cli/report/finding-lines.js'
import {
  failuresOf,
  type Mark,
  type Report,
  type ReportLine,
  withFailures,
} from '../../src/cli/report/report.js'
import { formatFor, render } from '../../src/cli/report/write-report.js'

function line(mark: Mark, fields: Partial<ReportLine> = {}): ReportLine {
  return { id: `${mark}-id`, mark, title: 'A title', seen: ['seen'], why: 'why', remedy: 'remedy', ...fields }
}

const MARKS: readonly Mark[] = ['ok', 'note', 'not_observed', 'warning', 'error']

const REPORT: Report = {
  name: 'tasksim probe',
  subject: 'http://localhost/',
  lines: MARKS.map((mark) => line(mark)),
  failures: ['1 error.'],
}

it('a report writes text with the reason and the remedy of every check that did not pass', () => {
  expect(render(REPORT, 'text')).toBe(`tasksim probe http://localhost/

ok            ok-id  A title
note          note-id  A title
              seen
              why
              remedy
not observed  not_observed-id  A title
              seen
              why
              remedy
warning       warning-id  A title
              seen
              why
              remedy
error         error-id  A title
              seen
              why
              remedy

1 ok, 1 note, 1 not observed, 1 warning, 1 error
Failed: 1 error.
`)
  expect(render(REPORT, 'text', true)).toContain('\u001b[31m')
})

const UNOBSERVED = [
  line('not_observed', { id: 'a', isBrief: true, seen: [], why: '', remedy: '', provoke: 'Run `x`.' }),
  line('not_observed', {
    id: 'b',
    isBrief: true,
    seen: [],
    why: 'Too fast.',
    remedy: '',
    provoke: 'Run `y`.',
  }),
  line('not_observed', { id: 'c', isBrief: true, seen: [], why: '', remedy: '', provoke: 'Run `x`.' }),
]

it.each([
  [
    'text',
    'not observed  3 rules; to observe them:\n              a, c: Run `x`.\n              b: Too fast. Run `y`.\n',
  ],
  ['github', '::notice title=tasksim probe%3A not observed::a, c: Run `x`.%0Ab: Too fast. Run `y`.\n'],
  ['markdown', '| `a`, `c` | Run &#96;x&#96;. |\n| `b` | Too fast. Run &#96;y&#96;. |\n\n</details>\n'],
  ['junit', '<skipped message="Too fast.&#10;Run `y`."/>'],
  ['json', '"provoke": "Run `y`."'],
] as const)(
  'a report writes as %s what would make each check possible that was not observed',
  (format, text) => {
    expect(render({ ...REPORT, lines: UNOBSERVED }, format)).toContain(text)
  },
)

it('a report writes as text the checks with the same kind of occasion together, and where the advice for each is', () => {
  const [a, b, c] = UNOBSERVED.map((each, index) => ({
    ...each,
    ...(index !== 1 && { occasion: 'Do more.' }),
  }))
  const lines = [a, b, { ...c, provoke: 'Run `z`.' }].filter((each) => each !== undefined) as ReportLine[]
  expect(render({ ...REPORT, lines }, 'text')).toContain(
    'a, c: Do more.\n              b: Too fast. Run `y`.\n              Advice for each rule: --format markdown',
  )
  expect(render({ ...REPORT, lines }, 'markdown')).toContain('| `c` | Run &#96;z&#96;. |')
})

it('a report writes JSON that says whether the run passed, with the details of each check', () => {
  const one = line('error', { details: { answers: [{ status: 200 }] } })
  expect(JSON.parse(render({ ...REPORT, lines: [one] }, 'json'))).toMatchObject({
    passed: false,
    failures: ['1 error.'],
    results: [{ id: 'error-id', verdict: 'error', answers: [{ status: 200 }] }],
  })
})

it('a report writes JUnit in which only a case that fails the run is a failure', () => {
  const all = { ...REPORT, lines: withFailures(REPORT.lines, 'error') }
  const xml = render(all, 'junit')
  expect(xml).toContain('<testsuite name="tasksim probe" tests="5" failures="1" skipped="1">')
  expect(xml).toContain('<failure type="error" message="seen">seen&#10;why&#10;remedy</failure>')
  expect(xml).toContain('<system-out>warning: seen&#10;why&#10;remedy</system-out>')
  expect(xml).toContain('<system-out>note: seen&#10;why&#10;remedy</system-out>')
})

it.each([
  ['warning', 2],
  ['never', 0],
] as const)(
  'a report writes JUnit with the number of failures that --fail-on %s requires',
  (failOn, failures) => {
    const xml = render({ ...REPORT, lines: withFailures(REPORT.lines, failOn) }, 'junit')
    expect(xml).toContain(`failures="${failures}"`)
  },
)

it('a report writes a reason for each skipped case of JUnit', () => {
  const brief = line('not_observed', { seen: [], why: '', remedy: '' })
  const xml = render({ ...REPORT, lines: [line('not_observed'), brief] }, 'junit')
  expect(xml).toContain('<skipped message="seen&#10;why&#10;remedy"/>')
  expect(xml).toContain('<skipped message="Not observed: the run had no occasion for this check."/>')
})

it('a report escapes observed text in XML', () => {
  const one = line('error', { fails: true, seen: ['"><!-- & \u0000 \uD800 --> ]]>'] })
  const xml = render({ ...REPORT, lines: [one] }, 'junit')
  expect(xml).toContain('message="&quot;&gt;&lt;!-- &amp; \uFFFD \uFFFD --&gt; ]]&gt;"')
})

it('a report writes GitHub annotations for notable checks, and escapes observed text in them', () => {
  const one = line('error', { seen: ['100%\n::error::forged'] })
  const lines = render({ ...REPORT, lines: [line('ok'), line('note'), one] }, 'github').split('\n')
  expect(lines).toEqual([
    '::notice title=tasksim probe%3A note-id::A title%0Aseen%0Awhy%0Aremedy',
    '::error title=tasksim probe%3A error-id::A title%0A100%25%0A::error::forged%0Awhy%0Aremedy',
    'tasksim probe failed: 1 error.',
    '',
  ])
})

it('a report writes Markdown with a table of the checks that did not pass', () => {
  expect(render(REPORT, 'markdown')).toBe(`### tasksim probe: failed

http&#58;//localhost/

| severity | rule | where | remedy |
| --- | --- | --- | --- |
| ℹ️ note | \`note-id\`<br>A title | seen | remedy<br>why |
| ⚠️ warning | \`warning-id\`<br>A title | seen | remedy<br>why |
| ❌ error | \`error-id\`<br>A title | seen | remedy<br>why |

1 ok, 1 note, 1 not observed, 1 warning, 1 error.

**Failed:** 1 error.
`)
  expect(render({ ...REPORT, lines: [line('ok')], failures: [] }, 'markdown')).toBe(
    '### tasksim probe: passed\n\nhttp&#58;//localhost/\n\n1 ok.\n',
  )
})

it('a report escapes observed text in Markdown, so that it adds no row, link, picture or element', () => {
  const one = line('error', { seen: ['a | b\n| c ![x](http://x/) <img> `'] })
  const [, , , , , , row] = render({ ...REPORT, lines: [one] }, 'markdown').split('\n')
  expect(row).toContain(' a &#124; b &#124; c !&#91;x&#93;(http&#58;//x/) &#60;img&#62; &#96; |')
})

it('a report removes control characters in observed text from terminal output', () => {
  const one = line('error', { seen: ['\u001b[2Jcleared'] })
  expect(render({ ...REPORT, lines: [one] }, 'text')).not.toContain('\u001b')
})

it.each([
  ['error', 1],
  ['warning', 1],
  ['never', 0],
] as const)('a run fails on %s as configured', (failOn, count) => {
  expect(failuresOf([line('warning'), line('error')], failOn)).toHaveLength(count)
  expect(failuresOf([line('ok'), line('note'), line('not_observed')], failOn)).toEqual([])
})

it('a run fails on a lone warning only if warnings are set to fail', () => {
  expect(failuresOf([line('warning')], 'error')).toEqual([])
  expect(failuresOf([line('warning')], 'warning')).toEqual(['warning-id (--fail-on warning).'])
})

it('a report names the checks that fail a run, at most five of them', () => {
  const lines = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((id) => line('error', { id }))
  expect(failuresOf(lines, 'error')).toEqual(['a, b, c, d, e, and 2 more (--fail-on error).'])
})

it('a report says on which clock its times are', () => {
  expect(clockNote(Date.now())).toBeUndefined()
  const note = clockNote(Date.now() + 3_600_000) ?? ''
  expect(note).toMatch(
    /^Times are on the simulator's clock, which is at [\d:.]+, 60 min ahead of real time\.$/,
  )
  expect(clockNote(Date.now() - 3_600_000)).toContain('60 min behind real time')
  for (const format of ['text', 'markdown', 'json'] as const)
    expect(render({ ...REPORT, note }, format).replace('&#58;', ':')).toContain('ahead of real time')
})

it.each([
  ['a.json', 'json'],
  ['a.XML', 'junit'],
  ['a.md', 'markdown'],
  ['a.txt', 'text'],
  ['a', 'text'],
])('derives the format %s from the file name: %s', (file, format) => {
  expect(formatFor(file)).toBe(format)
})
