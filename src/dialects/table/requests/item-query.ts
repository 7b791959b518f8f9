import { numberIn } from '../../../exchange/page-query.js'
import type { Call } from '../../call.js'
import type { ItemQuery } from '../../item-page.js'
import type { ListUploadsOperation } from '../dialect-table.generated.js'

/**
 * Reads which items a request asks for.
 * @throws Problem 400 if the page size is not valid
 */
export function readItemQuery(
  { request }: Call,
  { limit, after }: Pick<ListUploadsOperation, 'limit' | 'after'>,
): ItemQuery {
  const query = new URLSearchParams(request.query)
  const { parameter = 'limit', default: size = 20, max = 100 } = limit ?? {}
  return {
    limit:
      limit === undefined
        ? Number.POSITIVE_INFINITY
        : numberIn(query, parameter, { min: 1, max, default: size }),
    after: (after !== undefined && query.get(after)) || undefined,
  }
}
