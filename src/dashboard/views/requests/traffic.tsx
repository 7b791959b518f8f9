import { count } from '../../model/format.js'
import { type RequestBrief, statusClass } from '../../model/requests/request-filter.js'
import { answersOf, latencies } from '../../model/requests/traffic.js'
import { Bars } from '../../parts/bars.js'
import { Card } from '../../parts/blocks.js'
import { Icon } from '../../parts/icon.js'
import { requestList } from '../../state/requests.js'
import { linkTo, route } from '../../state/route.js'

/** How long the requests of the list took, and what they asked for: shown while no request is open. */
export function Traffic() {
  const requests = requestList.shown.value
  const { pane: _, ...query } = route.value.query
  return (
    <div class="charts">
      <a class="back" href={linkTo({ view: 'requests', query })}>
        <Icon name="back" /> All requests
      </a>
      <Latency requests={requests} />
      <Operations requests={requests} />
    </div>
  )
}

interface Requests {
  readonly requests: readonly RequestBrief[]
}

function Latency({ requests }: Requests) {
  return (
    <Card title="Response times">
      <Bars
        label="Responses by duration"
        bars={latencies(requests).map(({ upTo, count }) => ({
          name: upTo === Infinity ? 'over 5 s' : `up to ${upTo} ms`,
          value: count,
        }))}
        axis={['1 ms', 'over 5 s']}
      />
    </Card>
  )
}

function Operations({ requests }: Requests) {
  const rows = answersOf(requests)
  return (
    <Card title="Requests by operation">
      {rows.length === 0 ? (
        <p class="hint">No requests yet.</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col">Status</th>
              <th scope="col">Requests</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ count: times, ...answer }) => (
              <tr key={JSON.stringify(answer)}>
                <td>
                  <code>{answer.operation}</code>
                </td>
                <td>
                  <span class={statusClass(answer)}>
                    {answer.status === 0
                      ? 'no answer'
                      : `${answer.status}${answer.delivered ? '' : ', lost'}`}
                  </span>
                </td>
                <td>{count(times)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
