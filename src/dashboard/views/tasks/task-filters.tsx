import { isEmptyFilter, NO_FILTER, type TaskFilter } from '../../model/filters.js'
import { count } from '../../model/format.js'
import { Button } from '../../parts/button.js'
import { Choice } from '../../parts/choice.js'
import { Icon, iconFor } from '../../parts/icon.js'
import { choices, filter, filteredTasks, simulator } from '../../state/session.js'

const STATES = ['queued', 'processing', 'succeeded', 'failed', 'canceled'] as const

/** The filters of the task list. */
export function TaskFilters() {
  const { status, kind, model, dialect, key, text } = filter.value
  const set = (change: Partial<TaskFilter>) => {
    filter.value = { ...filter.value, ...change }
  }
  return (
    <search class="filters">
      <div class="search">
        <label>
          <Icon name="search" />
          <span class="visually-hidden">Search tasks</span>
          <input
            data-search
            type="search"
            placeholder="Search prompt, model, id, error"
            value={text}
            onInput={({ currentTarget }) => set({ text: currentTarget.value })}
          />
        </label>
        <kbd>/</kbd>
      </div>
      <fieldset class="chips" aria-label="State">
        {STATES.map((state) => (
          <button
            key={state}
            type="button"
            class={`chip state-${state}`}
            aria-pressed={status === state}
            onClick={() => set({ status: status === state ? '' : state })}
          >
            <Icon name={iconFor(state)} />
            <b>{count(simulator.value?.tasks[state] ?? 0)}</b>
            <span>{state}</span>
          </button>
        ))}
      </fieldset>
      <div class="choices">
        <Choice
          label="Kind"
          all="All kinds"
          value={kind}
          values={choices.value.kinds}
          onChoose={(kind) => set({ kind })}
        />
        <Choice
          label="Model"
          all="All models"
          value={model}
          values={choices.value.models}
          onChoose={(model) => set({ model })}
        />
        {choices.value.dialects.length > 1 && (
          <Choice
            label="Dialect"
            all="All dialects"
            value={dialect}
            values={choices.value.dialects}
            onChoose={(dialect) => set({ dialect })}
          />
        )}
        <Choice
          label="API key"
          all="All keys"
          value={key}
          values={choices.value.keys}
          onChoose={(key) => set({ key })}
        />
        {!isEmptyFilter(filter.value) && (
          <Button
            variant="quiet"
            icon="close"
            onPress={() => {
              filter.value = NO_FILTER
            }}
          >
            {count(filteredTasks.value.length)} shown, clear filters
          </Button>
        )}
      </div>
    </search>
  )
}
