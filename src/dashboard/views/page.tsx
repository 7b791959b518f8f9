import type { JSX } from 'preact'
import type { View } from '../model/routes.js'
import { place } from '../state/place.js'
import { connection } from '../state/session.js'
import { FindingsView } from './findings/findings-view.js'
import { ClockBar } from './frame/clock-bar.js'
import { ConnectionBar } from './frame/connection-bar.js'
import { Help } from './frame/help.js'
import { Locked } from './frame/locked.js'
import { Navigation } from './frame/navigation.js'
import { Notices } from './frame/notices.js'
import { useShortcuts } from './frame/shortcuts.js'
import { NumbersView } from './numbers/numbers-view.js'
import { ScenarioView } from './scenario/scenario-view.js'
import { TasksView } from './tasks/tasks-view.js'
import { WebhooksView } from './webhooks/webhooks-view.js'

const VIEWS: Readonly<Record<View, () => JSX.Element>> = {
  tasks: TasksView,
  webhooks: WebhooksView,
  findings: FindingsView,
  scenario: ScenarioView,
  numbers: NumbersView,
}

/** The whole page: the frame, and in it the view that the address names. */
export function Page() {
  useShortcuts()
  if (connection.value === 'locked') return <Locked />
  const { view, sandbox } = place.value
  const Shown = VIEWS[view]
  return (
    <div class="page">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <Navigation />
      <div class="body">
        <ClockBar />
        <ConnectionBar />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which has to be possible by keyboard */}
        <main id="main" class={`view view-${view}`} tabIndex={0}>
          <Shown key={sandbox} />
        </main>
      </div>
      <Help />
      <Notices />
    </div>
  )
}
