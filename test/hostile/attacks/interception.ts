import { fileURLToPath } from 'node:url'
import { execIntercepted } from '../../intercept/exec.js'
import { type Check, expectThat } from '../../support/check.js'

const ATTACKER = fileURLToPath(new URL('../intercepted-attacker.mjs', import.meta.url))
const ALLOWED = ['*.allowed.example', 'allowed.*']
/** The first byte of an alert of TLS. */
const ALERT = '\u0015'
/** Milliseconds in which a client must begin a request. */
const MOST_FOR_SLOW = 20_000

/** What the attacker saw. */
interface Seen {
  readonly forwarded: number
  readonly answers: readonly { readonly sent: string; readonly got: string }[]
  readonly status: number
  /** In milliseconds. */
  readonly served: number
  readonly open: number
}

export const interception: Check = {
  title:
    'the interceptor connects to no other host than the allowed ones, and survives malformed and slow clients',
  async run(figure) {
    const options = ALLOWED.flatMap((pattern) => ['--intercept-allow', pattern])
    const { status, stdout, stderr } = await execIntercepted([process.execPath, ATTACKER], { options })
    expectThat(status === 0, `exec ended with ${status}: ${stderr.slice(-500)}`)
    const seen: Seen = JSON.parse(stdout)
    const accepted = seen.answers.filter(
      ({ got }) => !/^HTTP\/1\.1 4\d\d |^$/.test(got) && !got.startsWith(ALERT),
    )
    const tunnels = accepted.filter(
      ({ sent, got }) => !/^CONNECT api\.replicate\.com:443 /.test(sent) || !/ 200 /.test(got),
    )
    expectThat(seen.forwarded === 0, `${seen.forwarded} connections reached a host that is not allowed`)
    expectThat(tunnels.length === 0, `accepted: ${JSON.stringify(tunnels)}`)
    expectThat(seen.status === 401, `a request beside slow clients got ${seen.status}`)
    expectThat(seen.open === 0, `${seen.open} slow clients were not disconnected`)
    expectThat(seen.served <= MOST_FOR_SLOW, `slow clients were served for ${Math.round(seen.served)} ms`)
    figure(
      `${seen.answers.length} requests refused; slow clients are disconnected after ${Math.round(seen.served)} ms`,
    )
  },
}
