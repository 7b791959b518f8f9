import { expect, it } from 'vitest'
import { runs } from '../support/deep.js'
import { socketStorm } from './socket-storm.js'
import { storm } from './storm.js'

// `npm run test:fuzz` sends many more, with a new seed each time.
const SEED = 20_260_101

it('any request gets an answer, and no server error that no scenario configured', async () => {
  const { statuses, failures } = await storm(runs(200, 5_000), SEED)
  expect(failures).toEqual([])
  // Some requests passed the first checks.
  for (const status of [200, 201, 204, 400, 401, 404, 405, 409, 415])
    expect(statuses.get(status) ?? 0, `answers with ${status}`).toBeGreaterThan(0)
})

it('any bytes on a socket get an answer, and the server keeps serving', async () => {
  const { statuses, failures } = await socketStorm(runs(100, 300), SEED)
  expect(failures).toEqual([])
  expect(statuses.get(200) ?? 0).toBeGreaterThan(0)
})
