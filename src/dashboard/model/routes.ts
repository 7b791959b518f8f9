/** The views, in the order of the navigation. */
export const VIEWS = ['tasks', 'webhooks', 'findings', 'scenario', 'metrics'] as const
export type View = (typeof VIEWS)[number]

/** The current view and its selection. */
export interface Route {
  readonly view: View
  /** The selected item, such as a task. */
  readonly id: string | undefined
  /** The selected sandbox; undefined for the main simulator. */
  readonly sandbox: string | undefined
}

/** Parses the part of the address after the `#`. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?')
  const [name, id] = path.split('/')
  const view = VIEWS.find((known) => known === name) ?? 'tasks'
  return {
    view,
    id: id ? decode(id) : undefined,
    sandbox: new URLSearchParams(query).get('sandbox') ?? undefined,
  }
}

/** Formats a route as the part of the address from the `#` on. */
export function formatRoute({ view, id, sandbox }: Route): string {
  const path = id === undefined ? view : `${view}/${encodeURIComponent(id)}`
  return `#/${path}${sandbox === undefined ? '' : `?sandbox=${encodeURIComponent(sandbox)}`}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
