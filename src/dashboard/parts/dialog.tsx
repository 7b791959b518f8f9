import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button, type ButtonProps } from './button.js'
import { setTo } from './hooks.js'

/** A modal dialog, open while it is rendered. Its first field has the focus. When it closes, the focus returns to where it was. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string
  readonly onClose: () => void
  readonly children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector('input')?.focus()
    return () => element?.close()
  }, [])
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onCancel={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <Button variant="quiet" icon="close" label="Close" onPress={onClose} />
      </header>
      {children}
    </dialog>
  )
}

/** A button that opens a dialog. */
export function DialogButton({
  text,
  children,
  ...button
}: Omit<ButtonProps, 'onPress' | 'children'> & {
  readonly text: string
  /** Renders the dialog. */
  readonly children: (close: () => void) => ComponentChildren
}) {
  const isOpen = useSignal(false)
  return (
    <>
      <Button {...button} onPress={setTo(isOpen, true)}>
        {text}
      </Button>
      {isOpen.value && children(setTo(isOpen, false))}
    </>
  )
}

/** Asks whether to do something that cannot be undone. Closing it while that runs stops waiting for it. */
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
