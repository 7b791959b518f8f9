import { expect, it } from 'vitest'
import { noProxyEntries, patternsOf } from '../../../src/cli/intercept/variables.js'

const HOSTS = ['api.replicate.com', 'fal.run']

it.each([
  ['', []],
  ['corp.example, .internal 10.0.0.1', ['corp.example', '.internal', '10.0.0.1']],
  ['*', []],
  ['api.replicate.com,replicate.com,.com,cate.com', ['cate.com']],
  ['*.run,fal.run:443,notfal.run', ['notfal.run']],
])('of the NO_PROXY %j, an interception keeps what leads to no service', (given, kept) => {
  expect(noProxyEntries({ NO_PROXY: given }, HOSTS)).toEqual(kept)
})

it('an entry of NO_PROXY stands for a domain and what is below it', () => {
  expect(patternsOf(['.corp.example', '127.0.0.1'])).toEqual([
    'corp.example',
    '*.corp.example',
    '127.0.0.1',
    '*.127.0.0.1',
  ])
})
