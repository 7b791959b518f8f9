import { useSignal } from '@preact/signals'
import { Choice } from '../../parts/choice.js'
import { Confirmation } from '../../parts/confirmation.js'
import { runAction } from '../../state/notifications.js'

/** Loads a shipped scenario into the editor, and asks before it replaces a draft. */
export function ShippedChoice({
  names,
  hasDraft,
  onLoad,
}: {
  readonly names: readonly string[]
  readonly hasDraft: boolean
  readonly onLoad: (name: string) => Promise<void>
}) {
  const wanted = useSignal('')
  const close = () => {
    wanted.value = ''
  }
  return (
    <>
      <Choice
        label="Load a shipped scenario"
        all="Load a shipped scenario…"
        value={wanted.value}
        values={names}
        onChoose={(name) => {
          if (hasDraft) wanted.value = name
          else if (name !== '') void runAction(() => onLoad(name))
        }}
      />
      {wanted.value !== '' && (
        <Confirmation
          title="Replace your draft?"
          text={`Your draft is not applied. Loading ${wanted.value} replaces it.`}
          action="Replace draft"
          onConfirm={() => runAction(() => onLoad(wanted.value))}
          onClose={close}
        />
      )}
    </>
  )
}
