import { expect, test } from 'vitest'
import { parseScenario } from '../../../src/index.js'
import { ApplicationCounters } from '../../../src/inspect/applied/application-counters.js'
import { appliedRules, describeRule } from '../../../src/inspect/applied/applied-rules.js'

const NO_EVENTS = { on: () => () => {} }

function described(text: string): string[] {
  return appliedRules(parseScenario(text), new ApplicationCounters(NO_EVENTS)).map(describeRule)
}

test('a rule without a name is listed with its line, its effect and its conditions', () => {
  const text = `
rules:
  - when: { model: acme/video-*, input: { prompt: { matches: waves } } }
    then: { outcome: failed, delay: { min: 1500ms, max: 2s } }
faults:
  - { when: { operation: [tasks.create, tasks.list], per: task }, then: [503, lost] }
  - { when: { nth: 2 }, then: { status: 429, retry_after: 10s } }
  - { name: lost poll, then: reset }
  - then: hang
webhooks:
  faults:
    - { when: { window: { from: 1m } }, then: wrong_signature }
    - then: { delay: 30s }
`
  expect(described(text)).toEqual([
    'rules[0] of scenario:3: outcome failed, delay.min 1500ms, delay.max 2s for model acme/video-*, input.prompt.matches waves',
    'faults[0] of scenario:6: 503, then lost for tasks.create or tasks.list, per task',
    'faults[1] of scenario:7: 429, retry_after 10s for nth 2',
    'lost poll of scenario:8',
    'faults[3] of scenario:9: hang for every request',
    'webhooks.faults[0] of scenario:12: wrong_signature for window.from 60s',
    'webhooks.faults[1] of scenario:13: delay 30s for every webhook',
  ])
})

test('the description of a rule contains no secret', () => {
  const [one] = described('faults: [{ when: { key: sk_live_0123456789abcdef }, then: 503 }]')
  expect(one).toMatch(/^faults\[0\] of .*: 503 for key /)
  expect(one).not.toContain('0123456789')
})
