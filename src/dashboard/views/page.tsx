import type { JSX } from 'preact'
import type { View } from '../model/routes.js'
import { route } from '../state/route.js'
import { connection } from '../state/session.js'
import { FindingsView } from './findings/findings-view.js'
import { ClockBar } from './frame/clock-bar.js'
import { ConnectionBar } from './frame/connection-bar.js'
import { Help } from './frame/help.js'
import { Locked } from './frame/locked.js'
import { Navigation } from './frame/navigation.js'
import { Notifications } from './frame/notifications.js'
import { useShortcuts } from './frame/shortcuts.js'
import { MetricsView } from './metrics/metrics-view.js'
import { ScenarioView } from './scenario/scenario-view.js'
import { TasksView } from './tasks/tasks-view.js'
import { WebhooksView } from './webhooks/webhooks-view.js'

const VIEWS: Readonly<Record<View, () => JSX.Element>> = {
  tasks: TasksView,
  webhooks: WebhooksView,
  findings: FindingsView,
  scenario: ScenarioView,
  metrics: MetricsView,
}

/** The frame with the current view. */
export function Page() {
  useShortcuts()
  if (connection.value === 'locked') return <Locked />
  const { view, sandbox } = route.value
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
      </div>
      <Help />
      <Notifications />
    </div>
  )
}
