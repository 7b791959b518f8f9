import { useSignal } from '@preact/signals'
import { count, count as formatCount } from '../../model/format.js'
import { isFiltered } from '../../model/list-filter.js'
import { RANGES, type RangeName } from '../../model/overview/time-range.js'
import { Card } from '../../parts/blocks.js'
import { setter } from '../../parts/hooks.js'
import { Icon, iconFor } from '../../parts/icon.js'
import { Segments } from '../../parts/segments.js'
import { type RowForm, VirtualList } from '../../parts/virtual-list.js'
import { useFetched } from '../../state/fetched.js'
import { chooseRange, rangeName, shownSpans } from '../../state/overview.js'
import { linkTo, route } from '../../state/route.js'
import { control, deliveryVersion, findings, scenarioVersion, simulator } from '../../state/session.js'
import { taskLink, taskList } from '../../state/tasks.js'
import { Refusals } from '../requests/refusals.js'
import { Details, Grid, Lanes, SpanRow } from './lanes.js'
import { FailingWebhooks, Spending } from './spending.js'

/** What happens now: the last tasks on a common time axis, their cost, and what needs attention. */
export function Overview() {
  const { spent_usd: spent = 0 } = simulator.value ?? {}
  const version = `${spent} ${deliveryVersion.value} ${scenarioVersion.value}`
  const { value } = useFetched(`overview ${route.value.sandbox}`, version, () => control.value.overview())
  return (
    <div class="overview stack">
      <a class="back" href={taskLink(undefined)}>
        <Icon name="back" /> All tasks
      </a>
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
          onChoose={chooseRange}
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

const MAX_SHOWN = 5

/** The most severe mistakes of the client. */
function TopFindings() {
  const found = findings.value ?? []
  return (
    <Card
      title="Findings"
      aside={found.length > MAX_SHOWN && <a href={linkTo({ view: 'findings' })}>All {found.length}</a>}
    >
      {found.length === 0 && <p class="hint">tasksim found no mistake of the client.</p>}
      <ul class="brief">
        {found.slice(0, MAX_SHOWN).map(({ id, title, severity, count }) => (
          <li key={id}>
            <a class={`brief-item severity-${severity}`} href={linkTo({ view: 'findings', id })}>
              <Icon name={iconFor(severity)} />
              <span>
                <span class="visually-hidden">{severity}: </span>
                {title}
              </span>
              <b>
                {formatCount(count)}
                <span class="visually-hidden"> times</span>
              </b>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const ROW: RowForm = { name: 'span', height: 26 }
const MOST_ROWS = 14

/** The last tasks, one bar each, on a common time axis. */
function Waterfall({ limit }: { readonly limit: number | undefined }) {
  const spans = shownSpans.value
  const pointed = useSignal<string | undefined>(undefined)
  const hasFilter = isFiltered(taskList.conditions.value)
  return (
    <Card
      title="Waterfall"
      aside={
        <span class="muted">
          {count(spans.length)} {spans.length === 1 ? 'task' : 'tasks'}
          {hasFilter && ', filtered'}
        </span>
      }
    >
      <div class="fall stack">
        <div class="fall-picture stack">
          <Grid />
          <Lanes limit={limit} />
          {spans.length === 0 ? (
            <p class="hint">
              {hasFilter ? 'No matching tasks in this time range.' : 'No tasks in this time range.'}
            </p>
          ) : (
            <div class="fall-rows" style={{ height: `${Math.min(spans.length, MOST_ROWS) * ROW.height}px` }}>
              <VirtualList
                items={spans}
                label="Waterfall of the tasks, newest first"
                openId={undefined}
                form={ROW}
                routeOf={(id) => ({ view: 'tasks', id, query: taskList.conditions.value })}
                onPoint={setter(pointed)}
              >
                {(span) => <SpanRow span={span} />}
              </VirtualList>
            </div>
          )}
        </div>
        <Details id={pointed.value} />
      </div>
    </Card>
  )
}
