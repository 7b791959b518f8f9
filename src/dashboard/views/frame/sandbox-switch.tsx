import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { SandboxShape } from '../../../control/shapes.js'
import { plural } from '../../model/format.js'
import { Button } from '../../parts/button.js'
import { Dialog } from '../../parts/dialog.js'
import { Icon } from '../../parts/icon.js'
import { rootControl } from '../../server/control.js'
import { runAction } from '../../state/notifications.js'
import { navigate, route } from '../../state/route.js'
import { connection, simulator } from '../../state/session.js'

const NEW = '+'

/** Selects the main simulator or a sandbox. */
export function SandboxSwitch() {
  const sandboxes = useSignal<readonly SandboxShape[]>([])
  const load = async () => {
    sandboxes.value = await rootControl.sandboxes.list().catch(() => sandboxes.value)
  }
  useEffect(() => void load(), [connection.value])
  const current = route.value.sandbox
  const partition = simulator.value?.partition
  const isCreating = useSignal(false)
  const choose = (value: string) => {
    if (value === NEW) isCreating.value = true
    else switchTo(value === '' ? undefined : value)
  }
  return (
    <div class="sandbox">
      <select
        class="choice"
        aria-label="Sandbox"
        value={isCreating.value ? NEW : (current ?? '')}
        onFocus={load}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        <option value="">Main simulator{partition === undefined ? '' : ` (partition ${partition})`}</option>
        {sandboxes.value.map(({ id, name, tasks }) => (
          <option key={id} value={id}>
            {name || id} · {plural(tasks, 'task')}
          </option>
        ))}
        {current !== undefined && !sandboxes.value.some(({ id }) => id === current) && (
          <option value={current}>{current}</option>
        )}
        <option value={NEW}>New sandbox…</option>
      </select>
      {isCreating.value && (
        <NewSandbox
          onCreated={async ({ id }) => {
            await load()
            switchTo(id)
          }}
          onClose={() => {
            isCreating.value = false
          }}
        />
      )}
      {current !== undefined && <Key sandboxes={sandboxes.value} current={current} />}
    </div>
  )
}

function switchTo(sandbox: string | undefined): void {
  navigate({ view: route.value.view, sandbox })
}

/** The API key that sends requests to the sandbox. */
function Key({
  sandboxes,
  current,
}: {
  readonly sandboxes: readonly SandboxShape[]
  readonly current: string
}) {
  const key = sandboxes.find(({ id }) => id === current)?.api_key
  if (key === undefined) return null
  return (
    <p class="sandbox-key">
      <Icon name="open" /> API key <code>{key}</code>
    </p>
  )
}

/** Creates a sandbox with a name and a seed. */
function NewSandbox({
  onCreated,
  onClose,
}: {
  readonly onCreated: (sandbox: SandboxShape) => Promise<void>
  readonly onClose: () => void
}) {
  const create = async (event: SubmitEvent) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget as HTMLFormElement)
    const [name, seed] = ['name', 'seed'].map((field) => String(fields.get(field) ?? '').trim())
    const created = await runAction(() =>
      rootControl.sandboxes.create({ clock: 'manual', ...(name && { name }), ...(seed && { seed }) }),
    )
    if (created === undefined) return
    onClose()
    await onCreated(created)
  }
  return (
    <Dialog title="New sandbox" onClose={onClose}>
      <form onSubmit={create}>
        <p class="muted">A separate simulator with its own tasks, clock and API key.</p>
        <label>
          Name (optional)
          <input name="name" maxLength={200} autocomplete="off" />
        </label>
        <label>
          Seed of the random values (optional)
          <input name="seed" maxLength={200} autocomplete="off" placeholder={simulator.value?.seed} />
        </label>
        <div class="actions">
          <span class="spring" />
          <Button onPress={onClose}>Cancel</Button>
          <button type="submit" class="button button-accent">
            Create sandbox
          </button>
        </div>
      </form>
    </Dialog>
  )
}
