import { useSignal } from '@preact/signals'
import type { CapacityLimitShape } from '../../../control/shapes.js'
import { count } from '../../model/format.js'
import { isEmptyTaskFilter } from '../../model/tasks/task-filter.js'
import { Card } from '../../parts/card.js'
import { type RowForm, VirtualList } from '../../parts/virtual-list.js'
import { shownSpans } from '../../state/overview.js'
import { navigate } from '../../state/route.js'
import { taskFilter } from '../../state/tasks.js'
import { Grid, Lanes } from './lanes.js'
import { Details, SpanRow } from './span-row.js'

const ROW: RowForm = { name: 'span', height: 26 }
const MOST_ROWS = 14

/** The last tasks, one bar each, on a common time axis. */
export function Waterfall({ limits }: { readonly limits: readonly CapacityLimitShape[] }) {
  const spans = shownSpans.value
  const pointed = useSignal<string | undefined>(undefined)
  const isFiltered = !isEmptyTaskFilter(taskFilter.value)
  return (
    <Card
      title="Waterfall"
      aside={
        <span class="muted">
          {count(spans.length)} {spans.length === 1 ? 'task' : 'tasks'}
          {isFiltered && ', filtered'}
        </span>
      }
    >
      <div class="fall">
        <div class="fall-picture">
          <Grid />
          <Lanes limits={limits} />
          {spans.length === 0 ? (
            <p class="hint">
              {isFiltered ? 'No matching tasks in this time range.' : 'No tasks in this time range.'}
            </p>
          ) : (
            <div class="fall-rows" style={{ height: `${Math.min(spans.length, MOST_ROWS) * ROW.height}px` }}>
              <VirtualList
                items={spans}
                label="Waterfall of the tasks, newest first"
                openId={undefined}
                form={ROW}
                onOpen={(id) => navigate({ view: 'tasks', id, query: { ...taskFilter.value } })}
                onPoint={(id) => {
                  pointed.value = id
                }}
              >
                {(span) => <SpanRow span={span} />}
              </VirtualList>
            </div>
          )}
        </div>
        <Details id={pointed.value} hasLimits={limits.length > 0} />
      </div>
    </Card>
  )
}
