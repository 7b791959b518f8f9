import { useSignal } from '@preact/signals'
import type { FailingReceiverShape, OverviewShape } from '../../../control/shapes.js'
import { waitUntil } from '../../model/clock.js'
import { dayTime, dollars, duration, plural, share } from '../../model/format.js'
import { costLines } from '../../model/overview/spending.js'
import { Instant } from '../../parts/badges.js'
import { Bars } from '../../parts/bars.js'
import { Card } from '../../parts/blocks.js'
import { setter } from '../../parts/hooks.js'
import { Icon } from '../../parts/icon.js'
import { Segments } from '../../parts/segments.js'
import { nowInSeconds, today } from '../../state/clock.js'
import { linkTo } from '../../state/route.js'

type Spent = OverviewShape['spending']

const GROUPS = [
  { id: 'models', label: 'By model' },
  { id: 'keys', label: 'By key' },
] as const

/** What the tasks cost over time, and what each model or key costs. */
export function Spending({ spending }: { readonly spending: Spent }) {
  const by = useSignal<'models' | 'keys'>('models')
  const { total_usd: total, unassigned_usd: unassigned } = spending
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
          <CostBars spending={spending} />
          <table class="cost-legend">
            <thead>
              <tr>
                <th scope="col">{by.value === 'models' ? 'Model' : 'API key'}</th>
                <th scope="col">Share</th>
                <th scope="col">Spend</th>
              </tr>
            </thead>
            <tbody>
              {costLines(spending[by.value], unassigned).map(({ name, usd }) => (
                <tr key={name}>
                  <td>{name}</td>
                  <td>{share(usd, total)}</td>
                  <td>{dollars(usd)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Card>
  )
}

/** A bar for the cost of each step; nothing if all costs are those of evicted tasks. */
function CostBars({ spending: { from, step_ms: step, models } }: { readonly spending: Spent }) {
  const length = models[0]?.steps.length ?? 0
  if (from === null || length === 0) return null
  const timeOf = (index: number) => dayTime(Date.parse(from) + index * step, today.value)
  return (
    <Bars
      label={`Spend in each ${duration(step)}`}
      bars={Array.from({ length }, (_, index) => ({
        name: timeOf(index),
        value: models.reduce((sum, { steps }) => sum + (steps[index] ?? 0), 0),
      }))}
      textOf={dollars}
      axis={[timeOf(0), timeOf(length)]}
    />
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
