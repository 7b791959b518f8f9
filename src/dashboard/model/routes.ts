/** The views, in the order of the navigation. */
export const VIEWS = ['tasks', 'requests', 'webhooks', 'findings', 'scenario'] as const
export type View = (typeof VIEWS)[number] | typeof NEW_TASK

/** The view of the composer, which other views link to. */
export const NEW_TASK = 'new'

/** The names of the views. */
export const VIEW_TITLES: Readonly<Record<View, string>> = {
  tasks: 'Tasks',
  requests: 'Requests',
  webhooks: 'Webhooks',
  findings: 'Findings',
  scenario: 'Scenario',
  new: 'New task',
}

/** The current view and its selection. */
export interface Route {
  readonly view: View
  /** The selected item, such as a task. */
  readonly id: string | undefined
  /** The selected sandbox; undefined for the main simulator. */
  readonly sandbox: string | undefined
  /** The filters of the view. */
  readonly query: Readonly<Record<string, string>>
}

/** Parses the part of the address after the `#`. */
export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?')
  const [name, id] = path.split('/')
  const view: View = ([...VIEWS, NEW_TASK] as const).find((known) => known === name) ?? 'tasks'
  const { sandbox, ...filters } = Object.fromEntries(new URLSearchParams(query)) as Record<string, string>
  return {
    view,
    id: id ? decode(id) : undefined,
    sandbox,
    query: filters,
  }
}

/** Formats a route as the part of the address from the `#` on. */
export function formatRoute({ view, id, sandbox, query }: Route): string {
  const path = id === undefined ? view : `${view}/${encodeURIComponent(id)}`
  const given = Object.entries({ ...query, ...(sandbox !== undefined && { sandbox }) })
  const parameters = new URLSearchParams(given.filter(([, value]) => value !== '')).toString()
  return `#/${path}${parameters === '' ? '' : `?${parameters}`}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The title of the page: the number of refused requests, and the open item with its state or, without one, the view.
 * @param status the state of the open item, if it has one
 */
export function pageTitle({ view, id }: Pick<Route, 'view' | 'id'>, refused: number, status = ''): string {
  const subject = id === undefined ? VIEW_TITLES[view] : `${id} ${status}`.trim()
  return `${refused === 0 ? '' : `(${refused}) `}${subject} – tasksim`
}
