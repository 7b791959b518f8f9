import { defineCommand } from '../command.js'
import { runServer } from '../serve/run-server.js'
import { type ServeArguments, serveOptions } from '../serve/serve-options.js'
import { endOfStdin, stopSignal } from '../signals.js'

/** Serves a scenario over HTTP until a signal stops it. */
export const command = defineCommand({
  builder: serveOptions,
  async handler(args) {
    let signal: Promise<void> | undefined
    const stopped = () => {
      signal ??= args['stop-with-stdin'] ? Promise.race([stopSignal(), endOfStdin()]) : stopSignal()
      return signal
    }
    let next: ServeArguments | undefined = args
    let continues = false
    while (next !== undefined) {
      next = await runServer(next, stopped, continues)
      continues = true
    }
  },
})
