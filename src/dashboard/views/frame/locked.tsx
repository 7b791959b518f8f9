import icon from '../../icon.svg'
import { setToken } from '../../server/token.js'
import { start } from '../../state/live.js'
import { connection } from '../../state/session.js'

/** Asks for the token, without which the control API tells nothing. */
export function Locked() {
  const unlock = (event: SubmitEvent) => {
    event.preventDefault()
    const token = new FormData(event.currentTarget as HTMLFormElement).get('token')
    setToken(String(token ?? '').trim())
    connection.value = 'connecting'
    start()
  }
  return (
    <main class="locked">
      <form onSubmit={unlock}>
        <img src={icon} alt="" width="40" height="40" />
        <h1>This simulator wants its token</h1>
        <p>
          It can be reached from other machines, so it shows itself to those who know the token that it
          printed when it started.
        </p>
        <label>
          Token
          <input name="token" type="password" autocomplete="off" required />
        </label>
        <button type="submit" class="button button-accent">
          Open
        </button>
      </form>
    </main>
  )
}
