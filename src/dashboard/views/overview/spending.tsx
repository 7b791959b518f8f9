import { useSignal } from '@preact/signals'
import type { OverviewShape } from '../../../control/shapes.js'
import { dayTime, dollars, duration, share } from '../../model/format.js'
import { type CostBar, type CostLayer, costBars, layersOf } from '../../model/overview/spending.js'
import { Card } from '../../parts/card.js'
import { today } from '../../state/clock.js'

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
          <fieldset class="segments" aria-label="Spend by">
            {(['models', 'keys'] as const).map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={by.value === each}
                onClick={() => {
                  by.value = each
                }}
              >
                {each === 'models' ? 'By model' : 'By key'}
              </button>
            ))}
          </fieldset>
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
                class={`cost cost-${color}`}
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
              <i class={`swatch${color === undefined ? '' : ` cost-${color}`}`} />
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
