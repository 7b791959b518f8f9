import type { DialectShape } from '../../control/shapes.js'
import { sandbox } from './route.js'
import { control, scenarioVersion } from './session.js'
import { useFetched } from './use-fetched.js'

/** The dialects of the simulator; none until they are loaded. */
export function useDialects(): readonly DialectShape[] {
  const { value = [] } = useFetched(`dialects ${sandbox.value}`, scenarioVersion.value, () =>
    control.value.dialects.list(),
  )
  return value
}
