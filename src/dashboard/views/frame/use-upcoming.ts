import type { UpcomingShape } from '../../../control/shapes.js'
import { clock } from '../../state/clock.js'
import { useFetched } from '../../state/fetched.js'
import { route } from '../../state/route.js'
import { control, scenarioVersion } from '../../state/session.js'

/** What happens next. It is read again whenever the next event changes, or `others`, which any other event changes. */
export function useUpcoming(others = ''): UpcomingShape | undefined {
  const version = `${clock.value?.next} ${scenarioVersion.value} ${others}`
  return useFetched(`upcoming ${route.value.sandbox}`, version, () => control.value.clock.upcoming()).value
}
