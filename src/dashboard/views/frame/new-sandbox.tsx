import type { SandboxShape } from '../../../control/shapes.js'
import { Button } from '../../parts/button.js'
import { Dialog } from '../../parts/dialog.js'
import { rootControl } from '../../server/control.js'
import { runAction } from '../../state/notifications.js'
import { simulator } from '../../state/session.js'

/** Creates a sandbox with a name and a seed. */
export function NewSandbox({
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
