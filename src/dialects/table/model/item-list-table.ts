/** The page size of a list. */
export interface PageSize {
  /** The query parameter; `limit` by default. */
  readonly parameter?: string | undefined
  /** 20 by default. */
  readonly default?: number | undefined
  /** 100 by default. */
  readonly max?: number | undefined
}

/** A list of items that are no tasks. */
export interface ItemListTable {
  /** The page size and its query parameter; all items are on one page by default. */
  readonly limit?: PageSize | undefined
  /** The query parameter with the id of the last item of the previous page. */
  readonly after?: string | undefined
}
