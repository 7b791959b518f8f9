import { expect, it } from 'vitest'
import { CONTROL_OPERATIONS } from '../../src/control/operations.js'
import { ROUTES } from '../../src/hosts/api.js'

it('the table of operations lists exactly the routed control operations', () => {
  const routed = ROUTES.filter(({ path }) => path.startsWith('/_sim/'))
    .flatMap(({ methods }) => Object.values(methods).map(({ id }) => id))
    .filter((id) => !OF_ITSELF.includes(id))
  expect(new Set(routed)).toEqual(new Set(CONTROL_OPERATIONS.keys()))
  expect(new Set(routed).size).toBe(routed.length)
})

/** Operations that serve the documents, which therefore do not list them. */
const OF_ITSELF = ['sim.openapi.control', 'sim.openapi.service', 'sim.openapi.dialect', 'sim.docs']
