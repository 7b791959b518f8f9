import { useLayoutEffect, useRef } from 'preact/hooks'
import icon from '../../icon.svg'
import { setToken, token } from '../../server/token.js'
import { connect } from '../../state/live.js'
import { connection } from '../../state/session.js'

/** Asks for the token of the control API. */
export function Locked() {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => field.current?.focus(), [])
  const unlock = (event: SubmitEvent) => {
    event.preventDefault()
    const token = new FormData(event.currentTarget as HTMLFormElement).get('token')
    setToken(String(token ?? '').trim())
    connection.value = 'connecting'
    connect()
  }
  return (
    <main class="locked">
      <form onSubmit={unlock}>
        <img src={icon} alt="" width="40" height="40" />
        <h1>This simulator requires a token</h1>
        <p>
          Other machines can reach it, so the dashboard is protected. The simulator printed the token when it
          started.
        </p>
        {token() !== undefined && (
          <p class="task-error" role="alert">
            The simulator does not accept this token.
          </p>
        )}
        <label>
          Token
          <input ref={field} name="token" type="password" autocomplete="off" required />
        </label>
        <button type="submit" class="button button-accent">
          Open
        </button>
      </form>
    </main>
  )
}
