import { exitSoon, stopSignal } from '../signals.js'
import { VERSION } from '../version.js'
import { createMcpServer } from './create-mcp-server.js'
import { type OwnArguments, openOwnSession, openRemoteSession } from './open-session.js'
import { openHttp } from './transport/http.js'
import { openStdio } from './transport/stdio.js'

/** The arguments of `tasksim mcp`. */
export interface McpArguments extends OwnArguments {
  http: number | undefined
  server: string | undefined
  'control-token': string | undefined
}

/** Serves the tools until the assistant or a signal ends it. Only the protocol may write to stdout. */
export async function runMcp(args: McpArguments): Promise<void> {
  const stopped = stopSignal()
  const session =
    args.server === undefined
      ? await openOwnSession(args)
      : await openRemoteSession(args.server, args['control-token'])
  const create = () => createMcpServer(session, VERSION)
  try {
    if (args.http === undefined) {
      const { ended, close } = openStdio(create)
      report(`The simulator is at ${session.origin}/api/v1. The tools are on stdin and stdout.`)
      await Promise.race([stopped, ended])
      await close()
    } else {
      const { url, close } = await openHttp(create, args.http)
      report(`The simulator is at ${session.origin}/api/v1. The tools are at ${url}.`)
      await stopped
      await close()
    }
  } finally {
    await session.close()
    // A module of the user may keep the process alive.
    exitSoon()
  }
}

function report(line: string): void {
  process.stderr.write(`tasksim: ${line}\n`)
}
