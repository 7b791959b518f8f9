import { useSignal } from '@preact/signals'
import type { FailingReceiverShape, OverviewShape } from '../../../control/shapes.js'
import { waitUntil } from '../../model/clock.js'
import { dayTime, dollars, duration, plural, share } from '../../model/format.js'
import { type CostBar, type CostLayer, costBars, layersOf } from '../../model/overview/spending.js'
import { Instant } from '../../parts/badges.js'
import { Card } from '../../parts/blocks.js'
import { setter } from '../../parts/hooks.js'
import { Icon } from '../../parts/icon.js'
import { Segments } from '../../parts/segments.js'
import { nowInSeconds, today } from '../../state/clock.js'
import { linkTo } from '../../state/route.js'

const GROUPS = [
  { id: 'models', label: 'By model' },
  { id: 'keys', label: 'By key' },
] as const

/** What the tasks cost over time, by model or by key. */
export function Spending({ spending }: { readonly spending: OverviewShape['spending'] }) {
  const by = useSignal<'models' | 'keys'>('models')
  const { total_usd: total, unassigned_usd: unassigned } = spending
  const layers = layersOf(spending[by.value], unassigned)
  const bars = costBars(layers, spending)
  return (
    <Card
      title="Spend over time"
      aside={
        <>
          <Segments label="Spend by" choices={GROUPS} chosen={by.value} onChoose={setter(by)} />
          <b class="figure">{dollars(total)}</b>
        </>
      }
    >
      {total === 0 ? (
        <p class="hint">Nothing spent yet. Only tasks that succeed have a cost.</p>
      ) : (
        <>
          {bars.length > 0 && <Bars bars={bars} layers={layers} step={spending.step_ms} />}
          <Legend layers={layers} total={total} by={by.value === 'models' ? 'Model' : 'API key'} />
        </>
      )}
    </Card>
  )
}

const HEIGHT = 64

function Bars({
  bars,
  layers,
  step,
}: {
  readonly bars: readonly CostBar[]
  readonly layers: readonly CostLayer[]
  readonly step: number
}) {
  const [first, last] = [bars[0], bars.at(-1)]
  const width = 100 / bars.length
  return (
    <figure class="costs">
      <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {bars.map(({ at, usd, parts }, index) => (
          <g key={at}>
            {parts.map(({ color, bottom, height }) => (
              <rect
                key={color}
                class="cost"
                style={colored(color)}
                x={index * width}
                width={width * 0.86}
                y={(1 - bottom - height) * HEIGHT}
                height={height * HEIGHT}
              />
            ))}
            <rect class="cost-step" x={index * width} width={width} height={HEIGHT}>
              <title>{`${dayTime(at, today.value)}: ${dollars(usd)}`}</title>
            </rect>
          </g>
        ))}
      </svg>
      <figcaption>
        <span>{dayTime(first?.at ?? 0, today.value)}</span>
        <span>{duration(step)} a bar</span>
        <span>{dayTime((last?.at ?? 0) + step, today.value)}</span>
      </figcaption>
      <StepTable bars={bars} layers={layers} />
    </figure>
  )
}

function colored(color: number) {
  return { '--cost': `var(--cost-${color})` }
}

/** The same for screen readers. */
function StepTable({
  bars,
  layers,
}: {
  readonly bars: readonly CostBar[]
  readonly layers: readonly CostLayer[]
}) {
  const shown = layers.filter(({ color }) => color !== undefined)
  return (
    <div class="visually-hidden">
      <table>
        <caption>Spend over time</caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            {shown.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.map(({ at, usd }, index) =>
            usd === 0 ? null : (
              <tr key={at}>
                <th scope="row">{dayTime(at, today.value)}</th>
                {shown.map(({ name, steps }) => (
                  <td key={name}>{dollars(steps[index] ?? 0)}</td>
                ))}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  )
}

function Legend({
  layers,
  total,
  by,
}: {
  readonly layers: readonly CostLayer[]
  readonly total: number
  readonly by: string
}) {
  return (
    <table class="cost-legend">
      <thead>
        <tr>
          <th scope="col">{by}</th>
          <th scope="col">Share</th>
          <th scope="col">Spend</th>
        </tr>
      </thead>
      <tbody>
        {layers.map(({ name, usd, color }) => (
          <tr key={name}>
            <td>
              <i class="swatch" {...(color !== undefined && { style: colored(color) })} />
              {name}
            </td>
            <td>{share(usd, total)}</td>
            <td>{dollars(usd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const MAX_SHOWN = 5

/** The receivers whose last attempt failed. */
export function FailingWebhooks({ failing }: { readonly failing: readonly FailingReceiverShape[] }) {
  const more = failing.length - MAX_SHOWN
  return (
    <Card title="Failing webhooks" aside={more > 0 && <a href={linkTo({ view: 'webhooks' })}>{more} more</a>}>
      {failing.length === 0 && <p class="hint">No receiver is failing.</p>}
      <ul class="brief">
        {failing
          .slice(0, MAX_SHOWN)
          .map(({ url, status, error, since, failures, delivery_id: id, next_attempt_at: next }) => (
            <li key={url}>
              <a class="brief-item severity-error" href={linkTo({ view: 'webhooks', id })}>
                <Icon name="failed" />
                <span>
                  <code>{url}</code>
                  <small>
                    {status === undefined ? (error ?? 'no answer') : `answered ${status}`} ·{' '}
                    {plural(failures, 'failure')} since <Instant at={since} />
                    {next === undefined
                      ? ', no further attempt'
                      : `, next attempt ${waitUntil(next, nowInSeconds.value)}`}
                  </small>
                </span>
                <Icon name="open" />
              </a>
            </li>
          ))}
      </ul>
    </Card>
  )
}
