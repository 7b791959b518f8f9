import { useEffect } from 'preact/hooks'
import { pageTitle } from '../../model/page-title.js'
import { refusedCount } from '../../state/requests.js'
import { route } from '../../state/route.js'
import { openTaskStatus } from '../../state/tasks.js'

/** Shows the open item or the view, and the number of refused requests, in the title of the page. */
export function useTitle(): void {
  const title = pageTitle(route.value, refusedCount.value, openTaskStatus.value)
  useEffect(() => {
    document.title = title
  }, [title])
}
