import type { ComponentChildren } from 'preact'
import type { FailingReceiverShape } from '../../../control/shapes.js'
import { counted } from '../../../engine/counted.js'
import { waitUntil } from '../../model/clock.js'
import { RANGES, type RangeName } from '../../model/overview/time-range.js'
import type { View } from '../../model/routes.js'
import { Instant } from '../../parts/badges.js'
import { Card } from '../../parts/blocks.js'
import { setter } from '../../parts/hooks.js'
import { Icon, iconFor } from '../../parts/icon.js'
import { Segments } from '../../parts/segments.js'
import { nowInSeconds } from '../../state/clock.js'
import { useFetched } from '../../state/fetched.js'
import { chosenRange, rangeName } from '../../state/overview.js'
import { linkTo, route } from '../../state/route.js'
import { control, deliveryVersion, findings, scenarioVersion, simulator } from '../../state/session.js'
import { taskLink } from '../../state/tasks.js'
import { BackLink } from '../item-page.js'
import { Refusals } from '../requests/refusals.js'
import { Spending } from './spending.js'
import { Waterfall } from './waterfall.js'

/** What happens now: the last tasks on a common time axis, their cost, and what needs attention. */
export function Overview() {
  const { spent_usd: spent = 0 } = simulator.value ?? {}
  const version = `${spent} ${deliveryVersion.value} ${scenarioVersion.value}`
  const { value } = useFetched(`overview ${route.value.sandbox}`, version, () => control.value.overview())
  return (
    <div class="overview stack">
      <BackLink href={taskLink(undefined)}>All tasks</BackLink>
      <header class="overview-head line">
        <h2>Overview</h2>
        <Segments
          label="Time range"
          choices={(Object.keys(RANGES) as RangeName[]).map((name) => ({
            id: name,
            label: name,
            title: name === 'All' ? 'From the first task to the last' : `The last ${name}`,
          }))}
          chosen={rangeName.value}
          onChoose={setter(chosenRange)}
        />
      </header>
      <Refusals />
      <Waterfall limit={value?.limits.find(({ scope }) => scope === 'everything')?.running} />
      {value !== undefined && <Spending spending={value.spending} />}
      <div class="overview-pair">
        <TopFindings />
        {value !== undefined && <FailingWebhooks failing={value.failing} />}
      </div>
    </div>
  )
}

/** The most severe mistakes of the client. */
function TopFindings() {
  const lines = (findings.value ?? []).map(({ id, title, severity, count: times }) => ({
    id,
    severity,
    text: title,
    note: counted(times, 'occurrence'),
  }))
  return (
    <Brief title="Findings" view="findings" none="tasksim found no mistake of the client." lines={lines} />
  )
}

/** The receivers whose last attempt failed. */
function FailingWebhooks({ failing }: { readonly failing: readonly FailingReceiverShape[] }) {
  const lines = failing.map(({ url, delivery_id: id, ...failure }) => ({
    id,
    severity: 'error',
    text: <code>{url}</code>,
    note: (
      <>
        {failure.status === undefined ? (failure.error ?? 'no answer') : `answered ${failure.status}`} ·{' '}
        {counted(failure.failures, 'failure')} since <Instant at={failure.since} />
        {failure.next_attempt_at === undefined
          ? ', no further attempt'
          : `, next attempt ${waitUntil(failure.next_attempt_at, nowInSeconds.value)}`}
      </>
    ),
  }))
  return <Brief title="Failing webhooks" view="webhooks" none="No receiver is failing." lines={lines} />
}

interface BriefLine {
  readonly id: string
  readonly severity: string
  readonly text: ComponentChildren
  readonly note: ComponentChildren
}

const MAX_SHOWN = 5

/** A card with the first items of a view, and a link to all of them. */
function Brief({
  title,
  view,
  none,
  lines,
}: {
  readonly title: string
  readonly view: View
  /** Stands for the lines if there are none. */
  readonly none: string
  readonly lines: readonly BriefLine[]
}) {
  return (
    <Card title={title} aside={lines.length > MAX_SHOWN && <a href={linkTo({ view })}>All {lines.length}</a>}>
      {lines.length === 0 && <p class="hint">{none}</p>}
      <ul class="brief">
        {lines.slice(0, MAX_SHOWN).map(({ id, severity, text, note }) => (
          <li key={id}>
            <a class={`brief-item severity-${severity}`} href={linkTo({ view, id })}>
              <Icon name={iconFor(severity)} />
              <span>
                <span class="visually-hidden">{severity}: </span>
                {text}
                <small>{note}</small>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}
