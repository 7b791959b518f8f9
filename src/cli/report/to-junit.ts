import type { Report, ReportLine } from './report.js'

/**
 * Formats a report as JUnit XML. A test case fails only if its check fails the run; other warnings, errors and notes
 * are output of their test case. Checks that were not observed are skipped.
 */
export function toJunit({ name, lines }: Report): string {
  const failures = lines.filter(({ fails }) => fails).length
  const skipped = lines.filter(({ mark }) => mark === 'not_observed').length
  const counts = `tests="${lines.length}" failures="${failures}" skipped="${skipped}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escaped(name)}" ${counts}>`,
    ...lines.map((line) => testCase(name, line)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(name: string, line: ReportLine): string {
  const head = `    <testcase classname="${escaped(name)}" name="${escaped(`${line.id}: ${line.title}`)}"`
  const parts = [...line.seen, line.why, line.remedy, line.provoke ?? '']
  const text = escaped(parts.filter((part) => part !== '').join('\n'))
  if (line.fails) {
    const message = escaped(line.seen[0] ?? line.title)
    return `${head}><failure type="${line.mark}" message="${message}">${text}</failure></testcase>`
  }
  if (line.mark === 'not_observed') return `${head}><skipped message="${text || NO_OCCASION}"/></testcase>`
  if (line.mark === 'ok' || text === '') return `${head}/>`
  return `${head}><system-out>${line.mark}: ${text}</system-out></testcase>`
}

const NO_OCCASION = 'Not observed: the run had no occasion for this check.'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** Escapes text for XML, and replaces characters that XML cannot contain, such as control characters. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character)
}
