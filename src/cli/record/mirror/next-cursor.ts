import type { Dialect } from '../../../dialects/dialect.js'
import { listForms, readPage } from '../../../dialects/reading/list-pages.js'
import { matchPath, pathOf } from '../../../dialects/reading/match-path.js'
import { isJsonObject } from '../../../engine/json.js'
import type { SeenExchange } from '../../../record/exchanges/exchange.js'

/**
 * The value that requests the second page of a list in the query; undefined if an answer is another page, or the last
 * one.
 */
export function nextCursorIn(dialect: Dialect, { url, answer }: SeenExchange): string | undefined {
  const { body = null } = answer ?? {}
  const asked = new URL(url)
  const form = listForms(dialect).find(({ path }) => matchPath(path, pathOf(dialect.hosts, asked)))
  if (form === undefined || !isJsonObject(body)) return undefined
  const { next } = readPage(dialect, form, { method: 'GET', url, headers: {} }, body)
  const following = new URLSearchParams(next && new URL(next.url).search)
  const isFirst = [...asked.searchParams].every(([name, value]) => following.get(name) === value)
  return isFirst ? [...following].find(([name]) => !asked.searchParams.has(name))?.[1] : undefined
}
