import { Button } from './button.js'
import { Dialog } from './dialog.js'

/** Asks whether to do something that cannot be undone. */
export function Confirmation({
  title,
  text,
  action,
  onConfirm,
  onClose,
}: {
  readonly title: string
  readonly text: string
  /** The label of the button that does it. */
  readonly action: string
  readonly onConfirm: () => Promise<unknown>
  readonly onClose: () => void
}) {
  const confirm = async () => {
    await onConfirm()
    onClose()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{text}</p>
      <div class="actions">
        <span class="spring" />
        <Button onPress={onClose}>Cancel</Button>
        <Button variant="danger" icon="again" onPress={confirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
