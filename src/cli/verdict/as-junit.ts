import type { Judged, Judgement } from './judged.js'

/** A judgement as the JUnit XML that CI systems show: errors and warnings fail, what is not observed is skipped. */
export function asJunit({ name, judged }: Judgement): string {
  const failures = judged.filter(isBad).length
  const skipped = judged.filter(({ mark }) => mark === 'not_observed').length
  const counts = `tests="${judged.length}" failures="${failures}" skipped="${skipped}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escaped(name)}" ${counts}>`,
    ...judged.map((one) => testCase(name, one)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase(name: string, one: Judged): string {
  const head = `    <testcase classname="${escaped(name)}" name="${escaped(`${one.id}: ${one.title}`)}"`
  const text = escaped([...one.seen, one.why, one.remedy].filter((line) => line !== '').join('\n'))
  if (isBad(one)) {
    const message = escaped(one.seen[0] ?? one.title)
    return `${head}><failure type="${one.mark}" message="${message}">${text}</failure></testcase>`
  }
  if (one.mark === 'not_observed') return `${head}><skipped message="${text}"/></testcase>`
  return `${head}/>`
}

function isBad({ mark }: Judged): boolean {
  return mark === 'error' || mark === 'warning'
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** Text inside XML; what XML cannot hold at all, such as control characters that a receiver sent, becomes a mark. */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? character)
}
