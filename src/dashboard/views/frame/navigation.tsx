import icon from '../../icon.svg'
import { VIEWS, type View } from '../../model/routes.js'
import { Button } from '../../parts/button.js'
import { Icon } from '../../parts/icon.js'
import { linkTo, route } from '../../state/route.js'
import { connection, findings, simulator } from '../../state/session.js'
import { theme, toggleTheme } from '../../state/theme.js'
import { isHelpOpen } from './help.js'
import { SandboxSwitch } from './sandbox-switch.js'

const TITLES: Readonly<Record<View, string>> = {
  tasks: 'Tasks',
  webhooks: 'Webhooks',
  findings: 'Findings',
  scenario: 'Scenario',
  metrics: 'Metrics',
}

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
      <SandboxSwitch />
      <nav aria-label="Views">
        <ul>
          {VIEWS.map((view, index) => (
            <li key={view}>
              <a
                href={linkTo({ view })}
                aria-current={route.value.view === view ? 'page' : undefined}
                title={`${TITLES[view]} (${index + 1})`}
              >
                <Icon name={view} />
                <span>{TITLES[view]}</span>
                <Count view={view} />
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="side-foot">
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

function Count({ view }: { readonly view: View }) {
  const number = countOf(view)
  return number === 0 ? null : <b class="count">{number > 9_999 ? '9999+' : number}</b>
}

function countOf(view: View): number {
  const { tasks = {}, deliveries = {} } = simulator.value ?? {}
  if (view === 'tasks') return sum(tasks)
  if (view === 'webhooks') return sum(deliveries)
  return view === 'findings' ? (findings.value?.length ?? 0) : 0
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, each) => total + each, 0)
}
