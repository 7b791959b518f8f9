import { isEmptyTaskFilter, NO_TASK_FILTER, TASK_STATES } from '../../model/tasks/task-filter.js'
import { withChosen } from '../../model/with-chosen.js'
import { Chips } from '../../parts/chips.js'
import { Choice } from '../../parts/choice.js'
import { ClearFilters } from '../../parts/clear-filters.js'
import { iconFor } from '../../parts/icon.js'
import { SearchField } from '../../parts/search-field.js'
import {
  filteredTasks,
  setTaskFilter as set,
  taskChoices,
  taskFilter,
  taskStateCounts,
} from '../../state/tasks.js'
import { Completeness } from './completeness.js'
import { NewTaskLink } from './new-task-link.js'

/** The filters of the task list. */
export function TaskFilters() {
  const { status, kind, model, dialect, key, text } = taskFilter.value
  return (
    <search class="filters">
      <div class="search-row">
        <SearchField
          label="Search tasks"
          placeholder="Search prompt, model, id, error"
          value={text}
          onSearch={(text) => set({ text })}
        />
        <NewTaskLink />
      </div>
      <Chips
        label="State"
        chips={TASK_STATES.map((state) => ({
          value: state,
          label: state,
          icon: iconFor(state),
          look: `state-${state}`,
          count: taskStateCounts.value[state],
        }))}
        chosen={status}
        onChoose={(status) => set({ status })}
      />
      <Completeness />
      <div class="choices">
        <Choice
          label="Kind"
          all="All kinds"
          value={kind}
          values={withChosen(taskChoices.value.kinds, kind)}
          onChoose={(kind) => set({ kind })}
        />
        <Choice
          label="Model"
          all="All models"
          value={model}
          values={withChosen(taskChoices.value.models, model)}
          onChoose={(model) => set({ model })}
        />
        {taskChoices.value.dialects.length > 1 && (
          <Choice
            label="Dialect"
            all="All dialects"
            value={dialect}
            values={withChosen(taskChoices.value.dialects, dialect)}
            onChoose={(dialect) => set({ dialect })}
          />
        )}
        <Choice
          label="API key"
          all="All keys"
          value={key}
          values={withChosen(taskChoices.value.keys, key)}
          onChoose={(key) => set({ key })}
        />
        {!isEmptyTaskFilter(taskFilter.value) && (
          <ClearFilters shown={filteredTasks.value.length} onClear={() => set(NO_TASK_FILTER)} />
        )}
      </div>
    </search>
  )
}
