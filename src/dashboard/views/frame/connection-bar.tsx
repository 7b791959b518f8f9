import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Button } from '../../parts/button.js'
import { Icon } from '../../parts/icon.js'
import { connect } from '../../state/live.js'
import { connection, retryAt } from '../../state/session.js'

/** Shows that the server is unreachable, and when the page reconnects. */
export function ConnectionBar() {
  const seconds = useSignal(0)
  const isLost = connection.value === 'lost'
  useEffect(() => {
    if (!isLost) return
    const count = () => {
      seconds.value = Math.max(0, Math.ceil((retryAt.peek() - performance.now()) / 1_000))
    }
    count()
    const timer = setInterval(count, 250)
    return () => clearInterval(timer)
  }, [isLost, retryAt.value])
  if (!isLost) return null
  return (
    <div class="disconnected" role="alert">
      <Icon name="warning" />
      <p>
        The server does not answer.{' '}
        <span>{seconds.value === 0 ? 'Reconnecting…' : `Next attempt in ${seconds.value} s.`}</span>
      </p>
      <Button icon="again" onPress={connect}>
        Reconnect now
      </Button>
    </div>
  )
}
