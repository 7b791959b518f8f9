import { expect, it } from 'vitest'
import { reachRemedy } from '../../src/cli/exec/reach-remedy.js'

const remedyFor = (dialects: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  reachRemedy({ dialects, isIntercepted: false }, env)

it('the remedy for a client that sends no request names the variables that it got', () => {
  expect(remedyFor(['replicate'])).toContain(
    'read TASKSIM_URL, REPLICATE_BASE_URL or REPLICATE_API_BASE_URL, or',
  )
  expect(remedyFor(['fal'])).toMatch(/read TASKSIM_URL, or .*--env API_BASE_URL=base_url.*--intercept/)
})

it('without a dialect, it names the one whose variable the user has set', () => {
  expect(remedyFor([], { REPLICATE_API_TOKEN: 'r8_x' })).toContain(
    'REPLICATE_API_TOKEN is set, so it may be a client of replicate: pass --dialect replicate, which sets REPLICATE_BASE_URL.',
  )
  expect(remedyFor([], { FAL_KEY: 'x' })).toContain('pass --dialect fal.')
  expect(remedyFor([])).toContain('--dialect openai, which sets OPENAI_BASE_URL')
})

it('with --intercept, it says which clients are intercepted', () => {
  expect(reachRemedy({ dialects: [], isIntercepted: true }, {})).toContain('in Node or Python')
})
