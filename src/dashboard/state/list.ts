import { computed, signal } from '@preact/signals'
import type { ItemStore } from '../model/item-store.js'
import type { Conditions } from '../model/list-filter.js'
import { replaceQuery, route } from './route.js'

/** A list of the page: its items, and those that match the filter in the address. */
export type ItemList<Item extends { readonly id: string }, Name extends string> = ReturnType<
  typeof listOf<Item, Name>
>

/** @param chip the condition whose values are chips, each with the number of items that match all other conditions */
export function listOf<Item extends { readonly id: string }, Name extends string>(
  store: ItemStore<Item, Name>,
  chip: Name,
) {
  const { filter } = store.form
  const version = signal(0)
  const isLoading = signal(true)
  // As text, which stays the same when another part of the address changes.
  const text = computed(() => JSON.stringify(filter.read(route.value.query)))
  const conditions = computed((): Conditions<Name> => JSON.parse(text.value))
  const others = computed(() => {
    version.value
    return store.list(filter.test({ ...conditions.value, [chip]: '' }))
  })
  const setVersion = () => {
    version.value = version.peek() + 1
  }
  return {
    store,
    chip,
    /** Increases with each change of the items. */
    version,
    /** Whether older items are still loading. */
    isLoading,
    /** The conditions in the address. The same object until one of them changes. */
    conditions,
    /** The items that match all conditions, newest first. */
    shown: computed(() =>
      conditions.value[chip] === '' ? others.value : others.value.filter(filter.test(conditions.value)),
    ),
    /** How many items have each value of the chips. */
    counts: computed(() => filter.count(chip, others.value)),
    /** The values to choose from. Its readers render again only when they change. */
    choices: computed(() => {
      version.value
      return store.values
    }),
    size: computed(() => {
      version.value
      return store.size
    }),
    /** Changes conditions in the address, without a new entry in the history of the browser. */
    setConditions: (change: Partial<Conditions<Name>>) => replaceQuery({ ...route.peek().query, ...change }),
    /** Says that items have changed. */
    touch: setVersion,
    /** Forgets all items, as after a reset of the simulator. */
    forget() {
      store.clear()
      isLoading.value = true
      setVersion()
    },
  }
}
