import { refusalSummary } from '../../model/requests/request-filter.js'
import { Icon } from '../../parts/icon.js'
import { refusedRequests } from '../../state/requests.js'
import { linkTo } from '../../state/route.js'

/** Says that requests were refused, and links to them; nothing if none was. */
export function Refusals() {
  const refused = refusedRequests.value
  if (refused.length === 0) return null
  return (
    <a class="refusals box box-bad line" href={linkTo({ view: 'requests', query: { status: 'refused' } })}>
      <Icon name="failed" />
      <span>{refusalSummary(refused)}</span>
      <Icon name="open" />
    </a>
  )
}
