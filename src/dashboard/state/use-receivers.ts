import type { ReceiverShape } from '../../control/shapes.js'
import { sandbox } from './route.js'
import { control, deliveryVersion, scenarioVersion } from './session.js'
import { type Fetched, useFetched } from './use-fetched.js'

/** The registered receivers of the simulator. */
export function useReceivers(): Fetched<readonly ReceiverShape[]> {
  const version = `${deliveryVersion.value} ${scenarioVersion.value}`
  return useFetched(`receivers ${sandbox.value}`, version, () => control.value.receivers.list())
}
