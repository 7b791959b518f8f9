import type { StandBy } from '../../ledger/lead-ledger.js'
import { waitForLead } from '../../ledger/wait-for-lead.js'
import { errorText } from '../errors.js'
import { loadSimulator } from '../load-simulator.js'
import type { LogFormat } from '../log.js'
import type { SimulatorArguments } from '../options/simulator-options.js'
import { flush, print } from '../output.js'
import { standbyLine } from '../serve/server-lines.js'
import { type StandbyServer, serveStandby } from './standby-server.js'

/** A standby of a server. */
export interface Standby {
  /** Answers requests until this process leads the ledger, and also afterwards. */
  readonly standBy: StandBy
  /** Stops answering. @returns the port on which it answered; undefined if it never did */
  leave(): Promise<number | undefined>
}

/** The arguments of a server that can be a standby. */
interface StandbyArguments extends SimulatorArguments {
  port: number
  host: string
}

/**
 * Creates the standby of a server.
 * @param stopped resolves when the process ends
 */
export function createStandby(
  args: StandbyArguments,
  format: LogFormat,
  stopped: () => Promise<void>,
): Standby {
  let server: StandbyServer | undefined
  return {
    async standBy(ledger, shown) {
      // No request reaches this simulator. It only knows the dialects.
      const { sim } = await loadSimulator({ ...args, handlers: undefined, otel: false })
      server = await serveStandby(sim, args)
      const stop = new AbortController()
      void stopped().then(() => stop.abort())
      print(standbyLine(format, sim.clock.now(), { url: server.url, ledger: shown }))
      flush()
      return waitForLead(ledger, stop.signal, (error) =>
        process.stderr.write(`tasksim: ${errorText(error)}\n`),
      )
    },
    async leave() {
      const left = server
      server = undefined
      await left?.close()
      return left?.port
    },
  }
}
