/** Which items to list, newest first. */
export interface ItemQuery {
  /** At most how many. */
  readonly limit: number
  /** The id of the last item of the previous page. */
  readonly after: string | undefined
}

/** A page of a list. */
export interface ItemPage<Item> {
  readonly items: readonly Item[]
  /** The id that requests the next page; undefined if this is the last one. */
  readonly nextCursor: string | undefined
}

/**
 * Takes a page from a list.
 * @returns undefined if no item has the id of the query
 */
export function pageOf<Item>(
  all: readonly Item[],
  { limit, after }: ItemQuery,
  idOf: (item: Item) => string,
): ItemPage<Item> | undefined {
  const start = after === undefined ? 0 : all.findIndex((item) => idOf(item) === after) + 1
  if (start === 0 && after !== undefined) return undefined
  const items = all.slice(start, start + limit)
  const last = items.at(-1)
  const hasMore = start + items.length < all.length
  return { items, nextCursor: hasMore && last !== undefined ? idOf(last) : undefined }
}
