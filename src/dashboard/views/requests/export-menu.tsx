import { conditionsOf } from '../../model/requests/request-filter.js'
import { Menu } from '../../parts/menu.js'
import { controlUrl } from '../../server/control.js'
import { withToken } from '../../server/token.js'
import { requestFilter } from '../../state/requests.js'
import { sandbox } from '../../state/route.js'

/** The menu that saves the requests of the current filter as files. */
export function ExportMenu() {
  const { status, key, operation, ...rest } = conditionsOf(requestFilter.value)
  // The journal has no such conditions, and a file with more requests does no harm.
  const given = {
    ...rest,
    ...(status !== undefined && status !== 'answered' && { status }),
    ...(key !== undefined && key !== 'none' && { key }),
    ...(operation !== undefined && operation !== 'none' && { operation }),
  }
  const url = controlUrl(sandbox.value)
  const har = `${url}/journal.har?${new URLSearchParams(given)}`
  const json = `${url}/journal.json?${new URLSearchParams(given)}`
  return (
    <Menu
      icon="save"
      label="Export the requests of this filter"
      items={[
        { label: 'HAR', note: 'for browsers', href: withToken(har), download: 'tasksim.har' },
        { label: 'JSON', note: 'with bodies', href: withToken(json), download: 'requests.json' },
      ]}
    >
      Export
    </Menu>
  )
}
