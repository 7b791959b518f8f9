import type { Judged, Judgement } from './judged.js'

/**
 * A judgement as the JUnit XML that CI systems show. A case fails only if it fails the run; other warnings, errors and
 * notes are shown as output of their case. Cases that were not observed are skipped.
 */
export function asJunit({ name, judged }: Judgement): string {
  const failures = judged.filter(({ fails }) => fails).length
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
  if (one.fails) {
    const message = escaped(one.seen[0] ?? one.title)
    return `${head}><failure type="${one.mark}" message="${message}">${text}</failure></testcase>`
  }
  if (one.mark === 'not_observed') return `${head}><skipped message="${text || NO_OCCASION}"/></testcase>`
  if (one.mark === 'ok' || text === '') return `${head}/>`
  return `${head}><system-out>${one.mark}: ${text}</system-out></testcase>`
}

const NO_OCCASION = 'Not observed: the run gave no occasion to check it.'

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
