import type { ReadonlySignal } from '@preact/signals'
import type { ComponentChildren, JSX } from 'preact'
import type { Place } from '../model/changes.js'
import { capitalized, count, shortCount } from '../model/format.js'
import { type Conditions, isFiltered } from '../model/list-filter.js'
import type { View } from '../model/routes.js'
import type { ItemList } from '../state/list.js'
import { route } from '../state/route.js'
import { Empty, Loading } from './blocks.js'
import { Button } from './button.js'
import { Choice } from './choices.js'
import { Icon, type IconName } from './icon.js'
import { VirtualList } from './virtual-list.js'

/** A value of a filter as a button, with the number of items that have it. */
interface Chip {
  readonly value: string
  readonly label: string
  readonly icon: IconName
  /** The class with its color. */
  readonly look: string
}

interface FilterChoice<Name extends string> {
  readonly name: Name
  readonly label: string
  /** The label of the choice of all. */
  readonly all: string
  /** By default, the distinct values of the items. */
  readonly values?: readonly string[]
  readonly labels?: Readonly<Record<string, string>>
}

/** The filters of a list, which are in the address: a search, chips and choices. */
export function Filters<Item extends { readonly id: string }, Name extends string>({
  list,
  what,
  searched,
  label,
  chips,
  choices,
  beside,
  children,
}: {
  readonly list: ItemList<Item, Name>
  /** What the list has, in the plural. */
  readonly what: string
  /** What the search looks at. */
  readonly searched: string
  /** The name of the chips. */
  readonly label: string
  readonly chips: readonly Chip[]
  readonly choices: readonly FilterChoice<Name>[]
  /** What is beside the search. */
  readonly beside?: ComponentChildren
  /** What follows the choices. */
  readonly children?: ComponentChildren
}) {
  const given = list.conditions.value
  const change = (name: Name | 'text', value: string) =>
    list.setConditions({ [name]: value } as Partial<Conditions<Name>>)
  const all = choices.map((choice) => ({
    ...choice,
    values: choice.values ?? list.choices.value[choice.name] ?? [],
  }))
  // Most servers have one dialect, so there is nothing to choose.
  const useful = all.filter(({ name, values }) => name !== 'dialect' || values.length > 1)
  return (
    <search class="filters stack">
      <div class="search-row line">
        <div class="search">
          <label>
            <Icon name="search" />
            <span class="visually-hidden">Search {what}</span>
            <input
              data-search
              type="search"
              placeholder={`Search ${searched}`}
              value={given.text}
              onInput={({ currentTarget }) => change('text', currentTarget.value)}
            />
          </label>
          <kbd>/</kbd>
        </div>
        {beside}
      </div>
      <fieldset class="chips" aria-label={label}>
        {chips.map(({ value, label, icon, look }) => (
          // The chosen chip is pressed; pressing it again chooses all.
          <button
            key={value}
            type="button"
            class={`chip ${look}`}
            aria-pressed={given[list.chip] === value}
            onClick={() => change(list.chip, given[list.chip] === value ? '' : value)}
          >
            <Icon name={icon} />
            <b title={count(list.counts.value[value] ?? 0)}>{shortCount(list.counts.value[value] ?? 0)}</b>
            <span class="one-line">{label}</span>
          </button>
        ))}
      </fieldset>
      <div class="choices">
        {useful.map(({ name, ...choice }) => (
          <Choice key={name} {...choice} value={given[name]} onChange={(value) => change(name, value)} />
        ))}
        {children}
        {isFiltered(given) && (
          <Button variant="quiet" icon="close" onPress={() => clear(list)}>
            {count(list.shown.value.length)} shown, clear filters
          </Button>
        )}
      </div>
    </search>
  )
}

function clear<Item extends { readonly id: string }, Name extends string>(list: ItemList<Item, Name>): void {
  list.setConditions(list.store.form.filter.read({}))
}

/** Whether a list has items of several dialects, so that each row should name its own. */
export function isMixed({
  choices,
}: {
  readonly choices: ReadonlySignal<{ readonly dialect?: readonly string[] }>
}): boolean {
  return (choices.value.dialect ?? []).length > 1
}

/** The items that match the filters of a list. */
export function ListRows<Item extends { readonly id: string }, Name extends string>({
  list,
  view,
  what,
  limit = '',
  empty,
  placeOf,
  children,
}: {
  readonly list: ItemList<Item, Name>
  readonly view: View
  /** What the list has, in the plural. */
  readonly what: string
  /** Says how many the server keeps. */
  readonly limit?: string
  /** Stands for the list if there are no items at all. */
  readonly empty: ComponentChildren
  readonly placeOf: (item: Item) => Place
  /** Renders the content of a row. */
  readonly children: (item: Item) => JSX.Element
}) {
  const items = list.shown.value
  if (items.length > 0)
    return (
      <VirtualList
        items={items}
        label={`${capitalized(what)}, newest first`}
        openId={route.value.id}
        placeOf={placeOf}
        routeOf={(id) => ({ view, id, query: list.conditions.value })}
      >
        {children}
      </VirtualList>
    )
  if (list.isLoading.value) return <Loading what={`The ${what}`} />
  if (list.size.value === 0) return <>{empty}</>
  return (
    <Empty icon="search" title={`No matching ${what}`}>
      <p>
        The current filters match none of the {what}. {limit}
      </p>
      <Button onPress={() => clear(list)}>Show all {what}</Button>
    </Empty>
  )
}
