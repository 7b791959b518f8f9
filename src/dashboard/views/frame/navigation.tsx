import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { SandboxShape } from '../../../control/shapes.js'
import { counted } from '../../../engine/counted.js'
import icon from '../../icon.svg'
import { shortCount, totalOf } from '../../model/format.js'
import { viewsOf } from '../../model/recording.js'
import { NEW_TASK, VIEW_TITLES, VIEWS, type View } from '../../model/routes.js'
import { Button } from '../../parts/button.js'
import { setTo } from '../../parts/hooks.js'
import { Icon } from '../../parts/icon.js'
import { Menu } from '../../parts/menu.js'
import { REFERENCE_URL, rootControl } from '../../server/control.js'
import { withToken } from '../../server/token.js'
import { runAction } from '../../state/notifications.js'
import { refusedCount } from '../../state/requests.js'
import { linkTo, navigate, route } from '../../state/route.js'
import { connection, findings, recording, simulator } from '../../state/session.js'
import { theme, toggleTheme } from '../../state/theme.js'
import { isHelpOpen } from './shortcuts.js'

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
        <span class={`connection line connection-${connection.value}`} role="status">
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
          aria-label="API reference"
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
          onPress={setTo(isHelpOpen, true)}
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
  const { all, bad = 0, what } = countsOf(view)
  return (
    <>
      {bad > 0 && (
        <b class="count count-bad" title={`${bad} ${what}`}>
          {shortCount(bad)}
          <span class="visually-hidden"> {what}</span>
        </b>
      )}
      {all > 0 && <b class="count">{shortCount(all)}</b>}
    </>
  )
}

/** How many items a view has and, in red, how many of them somebody has to look at. */
function countsOf(view: View): { readonly all: number; readonly bad?: number; readonly what?: string } {
  const { tasks = {}, deliveries = {}, requests = 0 } = simulator.value ?? {}
  if (view === 'tasks') return { all: totalOf(tasks) }
  if (view === 'requests') return { all: requests, bad: refusedCount.value, what: 'refused' }
  if (view === 'webhooks')
    return { all: totalOf(deliveries), bad: deliveries['given_up'] ?? 0, what: 'failed' }
  if (view !== 'findings') return { all: 0 }
  const found = findings.value ?? []
  const grave = found.filter(({ severity }) => severity !== 'note')
  return { all: found.length, bad: grave.length, what: 'errors and warnings' }
}

/** Selects the main simulator or a sandbox, or creates one. */
function SandboxSwitch() {
  const sandboxes = useSignal<readonly SandboxShape[]>([])
  const load = async () => {
    sandboxes.value = await rootControl.sandboxes.list().catch(() => sandboxes.value)
  }
  useEffect(() => void load(), [connection.value])
  const { view, sandbox: current } = route.value
  const { partition } = simulator.value ?? {}
  const main = `Main simulator${partition === undefined ? '' : ` (partition ${partition})`}`
  const open = sandboxes.value.find(({ id }) => id === current)
  const text = current === undefined ? main : open?.name || current
  const create = async () => {
    const { id } = await rootControl.sandboxes.create({ clock: 'manual' })
    await load()
    navigate({ view: route.value.view, sandbox: id })
  }
  return (
    <div class="sandbox">
      <Menu
        icon="sandbox"
        text={text}
        label={`Sandbox: ${text}`}
        items={[
          { label: main, href: linkTo({ view, sandbox: undefined }), isChosen: current === undefined },
          ...sandboxes.value.map(({ id, name, tasks }) => ({
            label: name || id,
            note: counted(tasks, 'task'),
            href: linkTo({ view, sandbox: id }),
            isChosen: id === current,
          })),
          { label: 'New sandbox', onChoose: () => runAction(create) },
        ]}
        onOpen={load}
      />
      {open !== undefined && (
        // It sends requests to the sandbox.
        <p class="sandbox-key line">
          <Icon name="open" /> API key <code>{open.api_key}</code>
        </p>
      )}
    </div>
  )
}
