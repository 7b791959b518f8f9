import { Icon } from '../../parts/icon.js'
import { route } from '../../state/route.js'
import { control, deliveryVersion, scenarioVersion, simulator } from '../../state/session.js'
import { taskLink } from '../../state/tasks.js'
import { useFetched } from '../../state/use-fetched.js'
import { Refusals } from '../requests/refusals.js'
import { FailingWebhooks } from './failing-webhooks.js'
import { RangeChoice } from './range-choice.js'
import { Spending } from './spending.js'
import { TopFindings } from './top-findings.js'
import { Waterfall } from './waterfall.js'

/** What happens now: the last tasks on a common time axis, their cost, and what needs attention. */
export function Overview() {
  const { spent_usd: spent = 0 } = simulator.value ?? {}
  const version = `${spent} ${deliveryVersion.value} ${scenarioVersion.value}`
  const { value } = useFetched(`overview ${route.value.sandbox}`, version, () => control.value.overview())
  return (
    <div class="overview">
      <a class="back" href={taskLink(undefined)}>
        <Icon name="back" /> All tasks
      </a>
      <header class="overview-head">
        <h2>Overview</h2>
        <RangeChoice />
      </header>
      <Refusals />
      <Waterfall limits={value?.limits ?? []} />
      {value !== undefined && <Spending spending={value.spending} />}
      <div class="overview-pair">
        <TopFindings />
        {value !== undefined && <FailingWebhooks failing={value.failing} />}
      </div>
    </div>
  )
}
