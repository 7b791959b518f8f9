import { type Route, VIEW_TITLES } from './routes.js'

/**
 * The title of the page: the number of refused requests, and the open item with its state or, without one, the view.
 * @param status the state of the open item, if it has one
 */
export function pageTitle({ view, id }: Pick<Route, 'view' | 'id'>, refused: number, status = ''): string {
  const subject = id === undefined ? VIEW_TITLES[view] : `${id} ${status}`.trim()
  return `${refused === 0 ? '' : `(${refused}) `}${subject} – tasksim`
}
