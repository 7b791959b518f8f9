import { useSignal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import icon from '../icon.svg'
import { hasView } from '../model/recording.js'
import { pageTitle, type View } from '../model/routes.js'
import { Button } from '../parts/button.js'
import { TextField } from '../parts/field.js'
import { bound } from '../parts/hooks.js'
import { Icon } from '../parts/icon.js'
import { lazy } from '../parts/lazy.js'
import { setToken, token } from '../server/token.js'
import { connect } from '../state/live.js'
import { dismiss, notifications } from '../state/notifications.js'
import { refusedCount } from '../state/requests.js'
import { route } from '../state/route.js'
import { connection, recording } from '../state/session.js'
import { openTaskStatus } from '../state/tasks.js'
import { zone } from '../state/zone.js'
import { ClockBar } from './frame/clock-bar.js'
import { Help } from './frame/help.js'
import { Navigation } from './frame/navigation.js'
import { useShortcuts } from './frame/shortcuts.js'
import { RequestsView } from './requests/requests-view.js'
import { TasksView } from './tasks/tasks-view.js'
import { WebhooksView } from './webhooks/webhooks-view.js'

const ScenarioView = lazy(
  'The scenario',
  async () => (await import('./scenario/scenario-view.js')).ScenarioView,
)

const FindingsView = lazy(
  'The findings',
  async () => (await import('./findings/findings-view.js')).FindingsView,
)

const ComposeView = lazy('The form', async () => (await import('./compose/compose-view.js')).ComposeView)

const VIEWS: Readonly<Record<View, FunctionComponent>> = {
  tasks: TasksView,
  requests: RequestsView,
  webhooks: WebhooksView,
  findings: FindingsView,
  scenario: ScenarioView,
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
          <CurrentView key={`${sandbox} ${zone.value}`} />
        </main>
        <Notifications />
      </div>
      <Help />
    </div>
  )
}

/** Shows that the server is unreachable. The page tries to reconnect by itself. */
function ConnectionBar() {
  if (connection.value !== 'lost') return null
  return (
    <div class="disconnected line" role="alert">
      <Icon name="warning" />
      <p>The server does not answer.</p>
      <Button icon="again" onPress={connect}>
        Reconnect now
      </Button>
    </div>
  )
}

/** Asks for the token of the control API. */
function Locked() {
  const form = useRef<HTMLFormElement>(null)
  const given = useSignal('')
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), [])
  const unlock = (event: SubmitEvent) => {
    event.preventDefault()
    if (given.value.trim() === '') return
    setToken(given.value.trim())
    connection.value = 'connecting'
    connect()
  }
  return (
    <main class="locked">
      <form ref={form} class="card stack" onSubmit={unlock}>
        <img src={icon} alt="" width="40" height="40" />
        <h1>This simulator requires a token</h1>
        <p>
          Other machines can reach it, so the dashboard is protected. The simulator printed the token when it
          started.
        </p>
        <TextField
          label="Token"
          isSecret
          error={token() === undefined ? undefined : 'The simulator does not accept this token.'}
          {...bound(given)}
        />
        <button type="submit" class="button button-accent">
          Open
        </button>
      </form>
    </main>
  )
}

/** The area for messages. It shows one at a time, the latest first. */
function Notifications() {
  const latest = notifications.value.at(-1)
  return (
    <div class="notices" aria-live="polite">
      {latest !== undefined && (
        <div key={latest.id} class={`notice line notice-${latest.tone}`}>
          <Icon name={latest.tone === 'good' ? 'succeeded' : 'failed'} />
          <p>
            {latest.text}
            {latest.times > 1 && ` (${latest.times} times)`}
          </p>
          <Button variant="quiet" icon="close" label="Dismiss" onPress={() => leave(latest.id)} />
        </div>
      )}
    </div>
  )
}

/** Dismisses a message. The focus goes to the view if no other message follows. */
function leave(id: number): void {
  dismiss(id)
  if (notifications.value.length === 0) document.getElementById('main')?.focus()
}

/** Shows the open item or the view, and the number of refused requests, in the title of the page. */
function useTitle(): void {
  const title = pageTitle(route.value, refusedCount.value, openTaskStatus.value)
  useEffect(() => {
    document.title = title
  }, [title])
}
