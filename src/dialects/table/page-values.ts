import type { Values } from './template/compile.js'

/** Stands for the tasks in a filled template, because their texts are cached. */
export const MARK = '\0tasks'

/** A page of tasks. */
export interface PageScope {
  readonly count: number
  readonly limit: number
  readonly offset: number
  /** The number of tasks on all pages. */
  total(): number
  readonly firstId: string | undefined
  readonly lastId: string | undefined
  readonly base: string
  /** The URL of this page. */
  url(): URL
  readonly links: PageLinks
}

/** The pages before and after a page. */
export interface PageLinks {
  /** The page with older tasks; undefined if there are none. */
  readonly older: PageLink | undefined
  /** The page with newer tasks; undefined if there are none, or the service has no such link. */
  readonly newer: PageLink | undefined
}

/** How the query of a page changes to that of another page. */
export interface PageLink {
  /** A parameter, and its new value. */
  readonly set: readonly [name: string, value: string]
  /** A parameter to remove. */
  readonly drop: string | undefined
}

/** The values in the template of a list. */
export const PAGE_VALUES = {
  tasks: () => MARK,
  count: ({ count }) => count,
  limit: ({ limit }) => limit,
  offset: ({ offset }) => offset,
  page: ({ offset, limit }) => Math.floor(offset / limit) + 1,
  total: (scope) => scope.total(),
  pages: (scope) => Math.ceil(scope.total() / scope.limit),
  has_more: ({ links }) => links.older !== undefined,
  next_cursor: ({ links, lastId }) => (links.older === undefined ? undefined : lastId),
  first_id: ({ firstId }) => firstId,
  last_id: ({ lastId }) => lastId,
  url: (scope) => scope.url().href,
  next_url: (scope) => urlOfPage(scope.url(), scope.links.older),
  newer_url: (scope) => urlOfPage(scope.url(), scope.links.newer),
  base: ({ base }) => base,
} satisfies Values<PageScope>

function urlOfPage(url: URL, link: PageLink | undefined): string | undefined {
  if (link === undefined) return undefined
  const page = new URL(url)
  if (link.drop !== undefined) page.searchParams.delete(link.drop)
  page.searchParams.set(...link.set)
  return page.href
}
