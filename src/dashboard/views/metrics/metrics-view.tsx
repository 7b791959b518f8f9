import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { count, share, stateLabel, totalOf } from '../../model/format.js'
import { latencyBuckets, type MetricSample, parseMetrics, perSecond } from '../../model/metrics.js'
import { TASK_STATES } from '../../model/tasks/task-store.js'
import { DELIVERY_STATES } from '../../model/webhooks/deliveries.js'
import { Card } from '../../parts/blocks.js'
import { Icon, iconFor } from '../../parts/icon.js'
import { useFetched } from '../../state/fetched.js'
import { recentRequests } from '../../state/requests.js'
import { route } from '../../state/route.js'
import { control, simulator } from '../../state/session.js'
import { Bars } from './bars.js'

const SECONDS = 60

export function MetricsView() {
  const { requests = 0, tasks = {}, deliveries = {} } = simulator.value ?? {}
  const { value: samples = [] } = useFetched(`metrics ${route.value.sandbox}`, requests, async () =>
    parseMetrics(await control.value.metrics()),
  )
  const { delivered = 0, given_up: failed = 0 } = deliveries
  return (
    <div class="metrics">
      <div class="tiles">
        <Tile name="Tasks" value={count(totalOf(tasks))} />
        <Tile name="Requests" value={count(requests)} />
        <Tile name="Delivered webhooks" value={share(delivered, delivered + failed)} />
      </div>
      <div class="charts">
        <Card title="Tasks by state">
          <ShareBar label="Tasks" parts={TASK_STATES.map((name) => [name, tasks[name] ?? 0])} />
        </Card>
        <Card title="Webhooks">
          <ShareBar label="Deliveries" parts={DELIVERY_STATES.map((name) => [name, deliveries[name] ?? 0])} />
        </Card>
        <RequestRate />
        <Latency samples={samples} />
        <Operations samples={samples} />
      </div>
    </div>
  )
}

function Tile({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <p class="tile">
      <b>{value}</b>
      <span>{name}</span>
    </p>
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

/** A stacked bar with a legend of counts and percentages. */
function ShareBar({
  label,
  parts,
}: {
  readonly label: string
  readonly parts: readonly (readonly [string, number])[]
}) {
  const total = parts.reduce((sum, [, value]) => sum + value, 0)
  let x = 0
  return (
    <div class="shares">
      <svg
        viewBox="0 0 100 6"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${parts.map(([name, value]) => `${stateLabel(name)} ${value}`).join(', ')}`}
      >
        <rect class="share" width="100" height="6" />
        {parts.map(([name, value]) => {
          const width = total === 0 ? 0 : (value / total) * 100
          x += width
          return (
            <rect
              key={name}
              class={`share share-${name}`}
              x={x - width}
              width={Math.max(0, width - 0.4)}
              height="6"
            />
          )
        })}
      </svg>
      <ul>
        {parts.map(([name, value]) => (
          <li key={name} class={`state state-${name}`}>
            <Icon name={iconFor(name)} />
            <span>{stateLabel(name)}</span>
            <b>{count(value)}</b>
            <small>{share(value, total)}</small>
          </li>
        ))}
      </ul>
    </div>
  )
}
