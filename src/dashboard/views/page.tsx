import type { FunctionComponent } from 'preact'
import { hasView } from '../model/recording.js'
import type { View } from '../model/routes.js'
import { lazy } from '../parts/lazy.js'
import { route } from '../state/route.js'
import { connection, recording } from '../state/session.js'
import { FindingsView } from './findings/findings-view.js'
import { ClockBar } from './frame/clock-bar.js'
import { ConnectionBar } from './frame/connection-bar.js'
import { Help } from './frame/help.js'
import { Locked } from './frame/locked.js'
import { Navigation } from './frame/navigation.js'
import { Notifications } from './frame/notifications.js'
import { useShortcuts } from './frame/shortcuts.js'
import { useTitle } from './frame/title.js'
import { MetricsView } from './metrics/metrics-view.js'
import { RequestsView } from './requests/requests-view.js'
import { TasksView } from './tasks/tasks-view.js'
import { WebhooksView } from './webhooks/webhooks-view.js'

const ScenarioView = lazy(
  'The scenario',
  async () => (await import('./scenario/scenario-view.js')).ScenarioView,
)

const ComposeView = lazy('The form', async () => (await import('./compose/compose-view.js')).ComposeView)

const VIEWS: Readonly<Record<View, FunctionComponent>> = {
  tasks: TasksView,
  requests: RequestsView,
  webhooks: WebhooksView,
  findings: FindingsView,
  scenario: ScenarioView,
  metrics: MetricsView,
  new: ComposeView,
}

/** The frame with the current view. */
export function Page() {
  useShortcuts()
  useTitle()
  if (connection.value === 'locked') return <Locked />
  const { view: wanted, sandbox } = route.value
  const view = hasView(wanted, recording.value) ? wanted : 'tasks'
  const CurrentView = VIEWS[view]
  return (
    <div class="page">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <Navigation />
      <div class="body">
        <ClockBar />
        <ConnectionBar />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it */}
        <main id="main" class={`view view-${view}`} tabIndex={0}>
          <CurrentView key={sandbox} />
        </main>
        <Notifications />
      </div>
      <Help />
    </div>
  )
}
