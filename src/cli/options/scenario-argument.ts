import { SHIPPED_NAMES } from '../../scenario/shipped.js'

/** The scenario of commands for which none is given. */
export const DEFAULT_SCENARIO = 'default'

/** The positional that names the scenario. */
export const scenarioPositional = {
  type: 'string',
  default: DEFAULT_SCENARIO,
  describe: `Path of a scenario file or a recording, or one of: ${SHIPPED_NAMES.join(', ')}`,
} as const

/** The positional of a command for which it matters whether a scenario is given: without one, a stored one stays. */
export const optionalScenario = {
  ...scenarioPositional,
  default: undefined,
  defaultDescription: DEFAULT_SCENARIO,
} as const
