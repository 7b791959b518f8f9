import { describe, expect, test } from 'vitest'
import { githubReport } from '../../../src/cli/report/github.js'
import { jsonReport } from '../../../src/cli/report/json.js'
import { junitReport } from '../../../src/cli/report/junit.js'
import { tableReport } from '../../../src/cli/report/table.js'
import type { Verdict } from '../../../src/index.js'

const NASTY = 'It said: "50% <b>&\'\u0000\uD800" \u{1F600},\nand left.'

const VERDICT: Verdict = {
  findings: [
    {
      id: 'pays-twice',
      severity: 'error',
      title: 'Paid twice: 100%, at once',
      why: 'It costs.',
      remedy: 'Look first.',
      count: 5,
      evidence: [1, 2, 3, 4].map((at) => ({
        at,
        taskId: 'task_1',
        requestIds: ['req_1', 'req_2'],
        seen: NASTY,
      })),
    },
    {
      id: 'deprecated-path',
      severity: 'note',
      title: 'Old path',
      why: 'Old.',
      remedy: 'New.',
      count: 1,
      evidence: [{ at: 0, seen: '/v1/task was used.' }],
    },
  ],
  checked: [
    { id: 'pays-twice', title: 'Paid twice: 100%, at once', state: 'found' },
    { id: 'deprecated-path', title: 'Old path', state: 'found' },
    { id: 'hot-linked', title: 'Hot', state: 'ok' },
    { id: 'polls-too-fast', title: 'Fast', state: 'ignored' },
    { id: 'keeps-output-url', title: 'Kept', state: 'not_observed', needs: 'output.kept' },
  ],
}
const CLEAN: Verdict = { findings: [], checked: [{ id: 'hot-linked', title: 'Hot', state: 'ok' }] }
const CONTEXT = { scenario: 'a "flaky" <one>', took: 1_500 }

describe('the table', () => {
  test('tells of each finding what was seen, why it matters and how to mend it', () => {
    const lines = tableReport(VERDICT, CONTEXT).split('\n')
    expect(lines[0]).toBe('error    Paid twice: 100%, at once  pays-twice')
    expect(lines[1]).toContain('It said: ')
    expect(lines).toContain('           and 2 more')
    expect(lines).toContain('  why      It costs.')
    expect(lines).toContain('  remedy   Look first.')
    expect(lines).toContain('  seen     /v1/task was used. (00:00:00.000)')
    expect(tableReport(VERDICT, CONTEXT)).toContain('(00:00:00.001  task_1, req_1 and 1 more)')
  })

  test('ends with a summary, which names what it needs to be told', () => {
    const lines = tableReport(VERDICT, CONTEXT).trimEnd().split('\n')
    expect(lines.slice(-2)).toEqual([
      'a "flaky" <one>: 2 of 5 rules broken, 1 kept, 1 not observed, 1 ignored',
      "not seen from outside: sim.observe('output.kept')",
    ])
    expect(tableReport(CLEAN, CONTEXT)).toBe('a "flaky" <one>: no findings, 1 kept, 0 not observed\n')
  })
})

test('the JSON is that of the control API, with the scenario', () => {
  const report = JSON.parse(jsonReport(VERDICT, CONTEXT))
  expect(report.scenario).toBe(CONTEXT.scenario)
  expect(report.findings[0].evidence[0]).toEqual({
    at: '1970-01-01T00:00:00.001Z',
    task_id: 'task_1',
    request_ids: ['req_1', 'req_2'],
    seen: NASTY,
  })
  expect(report.checked).toEqual(VERDICT.checked)
})

describe('the JUnit file', () => {
  test('has a test case for each rule, and counts them', () => {
    const xml = junitReport(VERDICT, CONTEXT)
    expect(xml.match(/<testcase /g)).toHaveLength(5)
    expect(xml).toContain('tests="5" failures="2" errors="0" skipped="2" time="1.5"')
    expect(xml).toContain('<testsuite name="a &quot;flaky&quot; &lt;one&gt;"')
    expect(xml).toContain('name="hot-linked: Hot" time="0"/>')
    expect(xml).toContain('<skipped message="not_observed: needs sim.observe(&apos;output.kept&apos;)"/>')
    expect(xml).toContain('<skipped message="ignored"/>')
    expect(xml).toContain('<failure type="error" message="Paid twice: 100%, at once">')
  })

  test('escapes what XML reads otherwise, and replaces what it cannot hold', () => {
    const xml = junitReport(VERDICT, CONTEXT)
    expect(xml).toContain(
      'task_1: It said: &quot;50% &lt;b&gt;&amp;&apos;\uFFFD\uFFFD&quot; \u{1F600},&#10;and left.',
    )
    expect(xml).not.toContain('\u0000')
  })
})

describe('the annotations', () => {
  test('are one workflow command a finding, by its severity', () => {
    const lines = githubReport(VERDICT, CONTEXT).split('\n')
    expect(lines).toHaveLength(3)
    expect(lines[0]).toMatch(/^::error title=/)
    expect(lines[1]).toBe(
      '::notice title=Old path (deprecated-path%2C a "flaky" <one>)::/v1/task was used.%0AOld.%0ANew.',
    )
    expect(githubReport(CLEAN, CONTEXT)).toBe('')
  })

  test('escape what would end a property or the line', () => {
    const [line = ''] = githubReport(VERDICT, CONTEXT).split('\n')
    expect(line).toContain('title=Paid twice%3A 100%25%2C at once (pays-twice%2C')
    expect(line).toContain('50%25 <b>')
    expect(line).toContain('%0Aand left.%0ASeen 5 times.%0AIt costs.%0ALook first.')
  })
})
