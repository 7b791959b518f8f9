import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.js'
import { Confirmation } from '../../parts/confirmation.js'
import { keepWork } from '../../state/drafts.js'
import { connect } from '../../state/live.js'
import { runAction } from '../../state/notifications.js'
import { control } from '../../state/session.js'

/** Resets the simulator after a confirmation. A draft of a scenario stays. */
export function ResetButton() {
  const isAsking = useSignal(false)
  const reset = async () => {
    await runAction(() => control.value.reset(), 'Simulator reset.')
    keepWork({ previous: undefined })
    connect()
  }
  return (
    <>
      <Button
        icon="again"
        variant="danger"
        onPress={() => {
          isAsking.value = true
        }}
      >
        Reset simulator…
      </Button>
      {isAsking.value && (
        <Confirmation
          title="Reset the simulator?"
          text="A reset deletes all tasks, webhooks and requests, and restores the initial scenario, time and random values. Your draft stays."
          action="Reset simulator"
          onConfirm={reset}
          onClose={() => {
            isAsking.value = false
          }}
        />
      )}
    </>
  )
}
