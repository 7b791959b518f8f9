import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { officialPage, PAGE } from './page.js'
import { readResults } from './results.js'

it('the page about official clients has the results and the flows', () => {
  expect(readFileSync(PAGE, 'utf8') === officialPage(readResults()), 'It is stale: write it again').toBe(true)
})
