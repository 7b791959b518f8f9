import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { isUnderTest } from '../../src/vitest/timers/caller.js'

const OWN = fileURLToPath(new URL('../../src/engine/clock/system-clock.ts', import.meta.url))

it.each([
  ['at /app/src/poll.ts:7:3', true],
  ['at sleep (file:///app/node_modules/lumaai/core.mjs:700:49)', true],
  ['at sleep (C:\\app\\node_modules\\@runwayml\\sdk\\internal\\utils\\sleep.mjs:2:30)', true],
  ['at node:internal/deps/undici/undici:1:2', false],
  ['at startTimer (node:internal/timers:3:4)', false],
  ['at delay (/app/node_modules/msw/lib/core/delay.mjs:3:4)', false],
  [
    'at x (/app/node_modules/.pnpm/@mswjs+interceptors@0.39/node_modules/@mswjs/interceptors/lib/x.mjs:1:1)',
    false,
  ],
  ['at C:\\app\\node_modules\\@vitest\\runner\\dist\\index.js:1:2', false],
  [`at startTimer (${OWN}:24:5)`, false],
  [`at startTimer (file://${OWN}:24:5)`, false],
])('a timer that is started %s is one of the code under test: %s', (line, expected) => {
  expect(isUnderTest(`    ${line}`)).toBe(expected)
})
