import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { count } from '../../model/format.js'
import { latencyBuckets, type MetricSample, parseMetrics, perSecond } from '../../model/metrics.js'
import { Bars } from '../../parts/bars.js'
import { Card } from '../../parts/blocks.js'
import { Icon } from '../../parts/icon.js'
import { useFetched } from '../../state/fetched.js'
import { recentRequests } from '../../state/requests.js'
import { linkTo, route } from '../../state/route.js'
import { control, simulator } from '../../state/session.js'

const SECONDS = 60

/** How many requests there were, how long they took, and what they asked for: shown while no request is open. */
export function Traffic() {
  const { requests = 0 } = simulator.value ?? {}
  const { value: samples = [] } = useFetched(`metrics ${route.value.sandbox}`, requests, async () =>
    parseMetrics(await control.value.metrics()),
  )
  return (
    <div class="charts">
      <a class="back" href={linkTo({ view: 'requests' })}>
        <Icon name="back" /> All requests
      </a>
      <RequestRate />
      <Latency samples={samples} />
      <Operations samples={samples} />
    </div>
  )
}

function RequestRate() {
  const tick = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => {
      tick.value += 1
    }, 1_000)
    return () => clearInterval(timer)
  }, [])
  tick.value
  const rates = perSecond(recentRequests, performance.now(), SECONDS)
  const now = rates.at(-2)?.total ?? 0
  return (
    <Card title="Requests per second" aside={<b class="figure">{count(now)}</b>}>
      <Bars
        label={`Requests in each of the last ${SECONDS} seconds`}
        bars={rates.map(({ total, failed }, index) => ({
          name: `${SECONDS - index} s ago`,
          value: total,
          variant: failed * 2 > total ? 'bar-bad' : '',
        }))}
        axis={['1 minute ago', 'now']}
      />
    </Card>
  )
}

function Latency({ samples }: { readonly samples: readonly MetricSample[] }) {
  const buckets = latencyBuckets(samples)
  return (
    <Card title="Response times">
      <Bars
        label="Responses by duration"
        bars={buckets.map(({ upTo, count }) => ({
          name: upTo === Infinity ? 'over 5 s' : `up to ${upTo} ms`,
          value: count,
        }))}
        axis={['1 ms', 'over 5 s']}
      />
    </Card>
  )
}

function Operations({ samples }: { readonly samples: readonly MetricSample[] }) {
  const rows = samples
    .filter(({ name }) => name === 'tasksim_requests_total')
    .sort((a, b) => b.value - a.value)
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
            {rows.map(({ labels: { operation, status = '', delivered }, value }) => (
              <tr key={`${operation} ${status} ${delivered}`}>
                <td>
                  <code>{operation}</code>
                </td>
                <td>
                  <span class={`status status-${delivered === 'false' ? 0 : status[0]}`}>
                    {status === '0' ? 'no answer' : delivered === 'false' ? `${status}, lost` : status}
                  </span>
                </td>
                <td>{count(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  )
}
