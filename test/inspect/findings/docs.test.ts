import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { FINDING_IDS } from '../../../src/inspect/findings/ids.js'
import { FINDING_RULES } from '../../../src/inspect/findings/rules.js'

const docs = readFileSync(new URL('../../../docs/findings.md', import.meta.url), 'utf8')
const rows = docs.split('\n').map((line) => line.split('|').map((cell) => cell.trim()))

test.each(FINDING_RULES.map((rule) => [rule.id, rule] as const))('the docs describe %s', (id, rule) => {
  const row = rows.find(([, first]) => first === `\`${id}\``)
  expect(row?.slice(2, 4)).toEqual([rule.severity, rule.title])
})

test('rules have unique ids, and complete sentences', () => {
  expect(FINDING_RULES.map(({ id }) => id)).toEqual(FINDING_IDS)
  for (const { id, title, why, remedy, provoke } of FINDING_RULES) {
    expect(id).toMatch(/^[a-z]+(-[a-z0-9]+)*$/)
    expect(title).toMatch(/^[A-Z].*[^.]$/)
    expect(why).toMatch(/^[A-Z].*\.$/)
    expect(remedy).toMatch(/^[A-Z].*\.$/)
    expect(provoke).toMatch(/^[A-Z].*\.$/)
  }
})
