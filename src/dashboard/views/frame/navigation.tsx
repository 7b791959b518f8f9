import icon from '../../icon.svg'
import { totalOf } from '../../model/format.js'
import { viewsOf } from '../../model/recording.js'
import { NEW_TASK, VIEW_TITLES, VIEWS, type View } from '../../model/routes.js'
import { Button } from '../../parts/button.js'
import { Icon } from '../../parts/icon.js'
import { REFERENCE_URL } from '../../server/control.js'
import { withToken } from '../../server/token.js'
import { refusedCount } from '../../state/requests.js'
import { linkTo, route } from '../../state/route.js'
import { connection, findings, recording, simulator } from '../../state/session.js'
import { theme, toggleTheme } from '../../state/theme.js'
import { isHelpOpen } from './help.js'
import { SandboxSwitch } from './sandbox-switch.js'

const CONNECTIONS = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Disconnected',
  locked: 'Token required',
} as const

/** The navigation: a sidebar on wide screens, a bottom bar on narrow ones. */
export function Navigation() {
  return (
    <header class="side">
      <div class="brand">
        <img src={icon} alt="" width="26" height="26" />
        <h1>tasksim</h1>
        <span class={`connection connection-${connection.value}`} role="status">
          <i />
          {CONNECTIONS[connection.value]}
        </span>
      </div>
      {recording.value === undefined && <SandboxSwitch />}
      <nav aria-label="Views">
        <ul>
          {viewsOf(recording.value).map((view) => (
            <li key={view}>
              <a
                href={linkTo({ view })}
                aria-current={currentIn(view)}
                title={`${VIEW_TITLES[view]} (${VIEWS.indexOf(view) + 1})`}
              >
                <Icon name={view} />
                <span>{VIEW_TITLES[view]}</span>
                <Count view={view} />
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-foot">
        <a
          class="button button-quiet side-reference"
          href={withToken(REFERENCE_URL)}
          target="_blank"
          title="Every operation of the service and of the control API, in a new tab"
          rel="noreferrer"
        >
          <Icon name="reference" />
          <span>API reference</span>
        </a>
        <Button
          variant="quiet"
          icon={theme.value === 'dark' ? 'sun' : 'moon'}
          label={theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
          shortcut="d"
          onPress={toggleTheme}
        />
        <Button
          variant="quiet"
          icon="help"
          label="Keyboard shortcuts"
          shortcut="?"
          onPress={() => {
            isHelpOpen.value = true
          }}
        />
      </div>
    </header>
  )
}

/** The composer belongs to the tasks. */
function currentIn(view: View): 'page' | 'true' | undefined {
  const { view: current } = route.value
  if (current === view) return 'page'
  return current === NEW_TASK && view === 'tasks' ? 'true' : undefined
}

function Count({ view }: { readonly view: View }) {
  const number = countOf(view)
  if (number === 0) return null
  const shown = number > 9_999 ? '9999+' : number
  if (view !== 'requests') return <b class="count">{shown}</b>
  return (
    <b class="count count-bad" title="Refused requests">
      {shown}
      <span class="visually-hidden"> refused</span>
    </b>
  )
}

function countOf(view: View): number {
  const { tasks = {}, deliveries = {} } = simulator.value ?? {}
  if (view === 'tasks') return totalOf(tasks)
  if (view === 'requests') return refusedCount.value
  if (view === 'webhooks') return totalOf(deliveries)
  return view === 'findings' ? (findings.value?.length ?? 0) : 0
}
