import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { isUnderTest } from '../../src/vitest/timers/caller.js'

const CLONE = fileURLToPath(new URL('../..', import.meta.url))

it.each([
  ['/app/src/poll.ts', true],
  ['file:///my%20app/node_modules/lumaai/core.mjs', true],
  ['C:\\app\\node_modules\\@runwayml\\sdk\\internal\\utils\\sleep.mjs', true],
  ['node:internal/deps/undici/undici', false],
  ['node:internal/timers', false],
  ['/app/node_modules/msw/lib/core/delay.mjs', false],
  ['/app/node_modules/.pnpm/@mswjs+interceptors@0.39/node_modules/@mswjs/interceptors/lib/x.mjs', false],
  ['C:\\app\\node_modules\\@vitest\\runner\\dist\\index.js', false],
  [`${CLONE}src/engine/clock/system-clock.ts`, false],
  [`file://${CLONE}src/engine/clock/system-clock.ts`, false],
  [`${CLONE}dist/shared/simulator.js`, false],
  // The package may be linked from a clone that has other packages, and applications.
  [`${CLONE}node_modules/lumaai/core.mjs`, true],
  [`${CLONE}examples/official-client/src/poll.ts`, true],
  [`${CLONE}examples/official-client/node_modules/lumaai/dist/core.mjs`, true],
])('a timer that %s starts is one of the code under test: %s', (file, expected) => {
  expect(isUnderTest(file)).toBe(expected)
})
