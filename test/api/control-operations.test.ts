import { expect, it } from 'vitest'
import * as operations from '../../src/api/control/operations.js'
import { ROUTES } from '../../src/api/routes.js'

it('loads on first use what the table of routes calls by the same name', async () => {
  const routed = ROUTES.flatMap(({ methods }) => Object.values(methods)).filter(({ id }) =>
    id.startsWith('sim.'),
  )
  const ids = routed.map(({ id }) => id)
  for (const operation of Object.values(operations)) {
    expect(operation.authenticated).toBe(false)
    expect(ids).toContain(operation.id)
  }
  expect(new Set(ids).size).toBe(ids.length)
})
