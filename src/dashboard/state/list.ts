import { computed, signal } from '@preact/signals'
import type { ItemStore } from '../model/item-store.js'
import type { Conditions } from '../model/list-filter.js'
import { replaceQuery, route } from './route.js'

/** A list of the page: its items, and those that match the filter in the address. */
export type ItemList<Item extends { readonly id: string }, Name extends string> = ReturnType<
  typeof listOf<Item, Name>
>

/** A page of a list of the server. */
interface Page<Item> {
  readonly data: readonly Item[]
  readonly next_cursor: string | null
}

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
  const touch = () => {
    version.value = version.peek() + 1
  }
  /** Increases when the items are forgotten, so that pages that were asked for before come too late. */
  let generation = 0
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
    touch,
    /**
     * Adds pages, newest first, until there are no more, or enough.
     * @param fetch reads the page after a cursor
     * @param first the first page, if it is there already
     * @returns whether all are there now; not if they were forgotten meanwhile
     */
    async load(
      fetch: (cursor: { readonly after?: string }) => Promise<Page<Item>>,
      isEnough: (items: readonly Item[]) => boolean,
      first?: Page<Item>,
    ): Promise<boolean> {
      const own = generation
      let page = first ?? (await fetch({}))
      while (own === generation) {
        store.addPage(page.data)
        const after = page.next_cursor
        isLoading.value = after !== null && !isEnough(page.data)
        touch()
        if (after === null || !isLoading.peek()) return true
        page = await fetch({ after })
      }
      return false
    },
    /** Forgets all items, as after a reset of the simulator. */
    forget() {
      generation += 1
      store.clear()
      isLoading.value = true
      touch()
    },
  }
}
