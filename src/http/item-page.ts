import type { ListUploadsOperation } from '../dialects/table/dialect-table.generated.js'
import { numberIn } from '../exchange/pages.js'
import { unknownCursor } from '../exchange/problem.js'
import type { Exchange } from './operation.js'

/** A page of a list of uploads or receivers. */
interface ItemPage<Item> {
  readonly items: readonly Item[]
  /** The id that requests the next page; undefined if this is the last one. */
  readonly nextCursor: string | undefined
}

/**
 * Takes the page that a request asks for from a list, newest first.
 * @throws Problem 400 if the page size is not valid, or no item has the id of the cursor
 */
export function readPage<Item extends { readonly id: string }>(
  all: readonly Item[],
  { request }: Pick<Exchange, 'request'>,
  { limit, after }: Pick<ListUploadsOperation, 'limit' | 'after'>,
): ItemPage<Item> {
  const query = new URLSearchParams(request.query)
  const { parameter = 'limit', default: size = 20, max = 100 } = limit ?? {}
  const most = limit === undefined ? all.length : numberIn(query, parameter, { min: 1, max, default: size })
  const cursor = (after !== undefined && query.get(after)) || undefined
  const start = cursor === undefined ? 0 : all.findIndex(({ id }) => id === cursor) + 1
  if (start === 0 && cursor !== undefined) throw unknownCursor(cursor)
  const items = all.slice(start, start + most)
  const hasMore = start + items.length < all.length
  return { items, nextCursor: hasMore ? items.at(-1)?.id : undefined }
}
