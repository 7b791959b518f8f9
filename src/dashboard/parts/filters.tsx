import type { ComponentChildren } from 'preact'
import { isFiltered } from '../model/field-values.js'
import { count, shortCount } from '../model/format.js'
import { Empty } from './blocks.js'
import { Button } from './button.js'
import { Choice } from './choices.js'
import { Icon, type IconName } from './icon.js'

/** A value of a filter as a button, with the number of items that have it. */
interface Chip {
  readonly value: string
  readonly label: string
  readonly icon: IconName
  /** The class with its color. */
  readonly look: string
  readonly count: number | undefined
}

interface FilterChoice<Name extends string> {
  readonly name: Name
  readonly label: string
  /** The label of the choice of all. */
  readonly all: string
  readonly values: readonly string[]
  readonly labelOf?: (value: string) => string
}

type Conditions<Name extends string> = Readonly<Record<Name | 'text', string>>

/** The filters of a list, which are in the address: a search, chips and choices. */
export function Filters<Name extends string>({
  what,
  searched,
  filter,
  chips: { name: chipName, label, chips },
  choices,
  shown,
  beside,
  children,
  onChange,
}: {
  /** What the list has, in the plural. */
  readonly what: string
  /** What the search looks at. */
  readonly searched: string
  readonly filter: Conditions<Name>
  /** The chips of one condition. */
  readonly chips: { readonly name: Name; readonly label: string; readonly chips: readonly Chip[] }
  readonly choices: readonly FilterChoice<Name>[]
  /** How many items match. */
  readonly shown: number
  /** What is beside the search. */
  readonly beside?: ComponentChildren
  /** What follows the choices. */
  readonly children?: ComponentChildren
  readonly onChange: (change: Partial<Conditions<Name>>) => void
}) {
  const change = (name: Name | 'text', value: string) =>
    onChange({ [name]: value } as Partial<Conditions<Name>>)
  // Most servers have one dialect, so there is nothing to choose.
  const useful = choices.filter(({ name, values }) => name !== 'dialect' || values.length > 1)
  return (
    <search class="filters stack">
      <div class="search-row line">
        <SearchField
          label={`Search ${what}`}
          placeholder={`Search ${searched}`}
          value={filter.text}
          onSearch={(text) => change('text', text)}
        />
        {beside}
      </div>
      <Chips
        label={label}
        chips={chips}
        chosen={filter[chipName]}
        onChoose={(value) => change(chipName, value)}
      />
      <div class="choices">
        {useful.map(({ name, values, ...choice }) => (
          <Choice
            key={name}
            {...choice}
            value={filter[name]}
            values={withChosen(values, filter[name])}
            onChoose={(value) => change(name, value)}
          />
        ))}
        {children}
        {isFiltered(filter) && (
          <Button variant="quiet" icon="close" onPress={() => onChange(cleared(filter))}>
            {count(shown)} shown, clear filters
          </Button>
        )}
      </div>
    </search>
  )
}

function cleared<Name extends string>(filter: Conditions<Name>): Conditions<Name> {
  return Object.fromEntries(Object.keys(filter).map((name) => [name, ''])) as Conditions<Name>
}

/** The options of a filter, also with the chosen one: a link may choose a value that nothing known has. */
function withChosen(values: readonly string[], chosen: string): readonly string[] {
  return chosen === '' || values.includes(chosen) ? values : [...values, chosen]
}

/** Says that nothing matches the filters, and clears them. */
export function NoMatches<Name extends string>({
  what,
  limit = '',
  filter,
  onChange,
}: {
  /** What the list has, in the plural. */
  readonly what: string
  /** Says how many the server keeps. */
  readonly limit?: string
  readonly filter: Conditions<Name>
  readonly onChange: (change: Conditions<Name>) => void
}) {
  return (
    <Empty icon="search" title={`No matching ${what}`}>
      <p>
        The current filters match none of the {what}. {limit}
      </p>
      <Button onPress={() => onChange(cleared(filter))}>Show all {what}</Button>
    </Empty>
  )
}

/** A field for the text of a filter. The key `/` focuses it. */
function SearchField({
  label,
  placeholder,
  value,
  onSearch,
}: {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onSearch: (text: string) => void
}) {
  return (
    <div class="search">
      <label>
        <Icon name="search" />
        <span class="visually-hidden">{label}</span>
        <input
          data-search
          type="search"
          placeholder={placeholder}
          value={value}
          onInput={({ currentTarget }) => onSearch(currentTarget.value)}
        />
      </label>
      <kbd>/</kbd>
    </div>
  )
}

/** The chosen chip is pressed; pressing it again chooses all. */
function Chips({
  label,
  chips,
  chosen,
  onChoose,
}: {
  readonly label: string
  readonly chips: readonly Chip[]
  /** Empty if all are chosen. */
  readonly chosen: string
  readonly onChoose: (value: string) => void
}) {
  return (
    <fieldset class="chips" aria-label={label}>
      {chips.map(({ value, label, icon, look, count: items = 0 }) => (
        <button
          key={value}
          type="button"
          class={`chip ${look}`}
          aria-pressed={chosen === value}
          onClick={() => onChoose(chosen === value ? '' : value)}
        >
          <Icon name={icon} />
          <b title={count(items)}>{shortCount(items)}</b>
          <span class="one-line">{label}</span>
        </button>
      ))}
    </fieldset>
  )
}
