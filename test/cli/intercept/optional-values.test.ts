import { expect, it } from 'vitest'
import { interceptedServices } from '../../../src/cli/options/intercept-options.js'
import { withOptionalValues } from '../../../src/cli/run.js'

it.each([
  ['exec --intercept flaky -- run --intercept', 'exec --intercept=* flaky -- run --intercept'],
  ['exec --intercept=fal flaky', 'exec --intercept=fal flaky'],
  ['--intercept', '--intercept=*'],
])('the words %j are read as %j', (given, read) => {
  expect(withOptionalValues(given.split(' '))).toEqual(read.split(' '))
})

it.each([
  [undefined, undefined],
  [['*'], []],
  [['fal,replicate'], ['fal', 'replicate']],
  [
    ['fal', ' luma'],
    ['fal', 'luma'],
  ],
  [['fal', '*'], []],
])('the values %j of --intercept name the services %j', (intercept, names) => {
  expect(interceptedServices({ intercept, 'intercept-allow': [] })).toEqual(names)
})
