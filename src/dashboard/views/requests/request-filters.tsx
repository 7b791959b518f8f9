import { conditionsOf, requestFilterIn, STATUS_CLASSES } from '../../model/requests/request-filter.js'
import { withChosen } from '../../model/with-chosen.js'
import { Chips } from '../../parts/chips.js'
import { Choice } from '../../parts/choice.js'
import { ClearFilters } from '../../parts/clear-filters.js'
import { SearchField } from '../../parts/search-field.js'
import {
  filteredRequests,
  requestChoices,
  requestFilter,
  setRequestFilter,
  statusCounts,
} from '../../state/requests.js'
import { ExportMenu } from './export-menu.js'

const ICONS = {
  answered: 'succeeded',
  refused: 'failed',
  '4xx': 'error',
  '5xx': 'warning',
  lost: 'lost',
} as const

/** The filters of the requests, which are in the address. */
export function RequestFilters() {
  const { status, operation, dialect, key, text } = requestFilter.value
  const { operations, dialects, keys } = requestChoices.value
  return (
    <search class="filters">
      <SearchField
        label="Search requests"
        placeholder="Search path, id, key, reason"
        value={text}
        onSearch={(text) => setRequestFilter({ text })}
      />
      <Chips
        label="Status"
        chips={STATUS_CLASSES.map((each) => ({
          value: each,
          label: each,
          icon: ICONS[each],
          look: `chip-${each}`,
          count: statusCounts.value[each],
        }))}
        chosen={status}
        onChoose={(status) => setRequestFilter({ status })}
      />
      <div class="choices">
        <Choice
          label="Operation"
          all="All operations"
          value={operation}
          values={withChosen(operations, operation)}
          onChoose={(operation) => setRequestFilter({ operation })}
        />
        {dialects.length > 1 && (
          <Choice
            label="Dialect"
            all="All dialects"
            value={dialect}
            values={withChosen(dialects, dialect)}
            onChoose={(dialect) => setRequestFilter({ dialect })}
          />
        )}
        <Choice
          label="API key"
          all="All keys"
          value={key}
          values={withChosen(keys, key)}
          labelOf={(each) => (each === 'none' ? 'no accepted key' : each)}
          onChoose={(key) => setRequestFilter({ key })}
        />
        <ExportMenu />
        {Object.keys(conditionsOf(requestFilter.value)).length > 0 && (
          <ClearFilters
            shown={filteredRequests.value.length}
            onClear={() => setRequestFilter(requestFilterIn({}))}
          />
        )}
      </div>
    </search>
  )
}
