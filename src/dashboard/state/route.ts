import { computed, signal } from '@preact/signals'
import { formatRoute, parseRoute, type Route } from '../model/routes.js'

/** The current route, in sync with the address bar. */
export const route = signal<Route>(parseRoute(location.hash))

export const sandbox = computed(() => route.value.sandbox)

window.addEventListener('hashchange', () => {
  route.value = parseRoute(location.hash)
})

/** The link to a route, by default in the current sandbox. */
export function linkTo(to: Pick<Route, 'view'> & Partial<Route>): string {
  return formatRoute({ sandbox: route.value.sandbox, id: undefined, query: {}, ...to })
}

/**
 * Changes the route immediately, so that the next key already applies to the new view.
 * @param isStep whether to replace the entry in the history of the browser, as a step through a list does
 */
export function navigate(to: Pick<Route, 'view'> & Partial<Route>, isStep = false): void {
  if (isStep) history.replaceState(null, '', linkTo(to))
  else location.hash = linkTo(to)
  route.value = parseRoute(location.hash)
}

/** Changes the filters in the address, without a new entry in the history of the browser. */
export function replaceQuery(query: Route['query']): void {
  history.replaceState(null, '', formatRoute({ ...route.peek(), query }))
  route.value = parseRoute(location.hash)
}
