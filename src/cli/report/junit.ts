import type { Finding } from '../../core/findings/finding.js'
import type { Checked, CheckState, Verdict } from '../../core/findings/verdict.js'
import type { ReportContext } from './report-context.js'

/** A verdict as JUnit XML: one test case a rule, skipped where there was nothing to judge it by. */
export function junitReport(verdict: Verdict, { scenario, took = 0 }: ReportContext): string {
  const { findings, checked } = verdict
  const skipped = checked.filter(({ state }) => isSkipped(state)).length
  const totals = `tests="${checked.length}" failures="${findings.length}" errors="0" skipped="${skipped}" time="${took / 1_000}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="tasksim" ${totals}>`,
    `  <testsuite name="${escaped(scenario)}" ${totals}>`,
    ...checked.map((rule) =>
      testCase(
        rule,
        findings.find(({ id }) => id === rule.id),
      ),
    ),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function isSkipped(state: CheckState): boolean {
  return state === 'not_observed' || state === 'ignored'
}

function testCase({ id, title, state, needs }: Checked, finding: Finding | undefined): string {
  const head = `    <testcase classname="tasksim.findings" name="${escaped(`${id}: ${title}`)}" time="0"`
  if (isSkipped(state)) {
    const why = needs === undefined ? state : `${state}: needs sim.observe('${needs}')`
    return `${head}><skipped message="${escaped(why)}"/></testcase>`
  }
  if (finding === undefined) return `${head}/>`
  const { severity, remedy, why, evidence } = finding
  const text = [
    why,
    remedy,
    ...evidence.map(({ seen, taskId }) => (taskId === undefined ? seen : `${taskId}: ${seen}`)),
  ]
  return `${head}>\n      <failure type="${severity}" message="${escaped(finding.title)}">${escaped(text.join('\n'))}</failure>\n    </testcase>`
}

// What XML 1.0 has no way to say, not even escaped: most controls, lone surrogates, and two non-characters.
const UNSPEAKABLE = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // Otherwise a parser makes blanks of them where they stand in an attribute.
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

function escaped(text: string): string {
  return text.replace(UNSPEAKABLE, '\uFFFD').replace(/[&<>"'\n\r\t]/g, (char) => ENTITIES[char] ?? char)
}
