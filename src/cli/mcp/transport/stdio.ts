import { once } from 'node:events'
import type { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

/**
 * Serves the protocol on stdin and stdout.
 * @param create creates a server for the connection
 * @returns closes the connection; `ended` resolves when the client has closed stdin
 */
export function openStdio(create: () => McpServer): {
  readonly ended: Promise<void>
  close(): Promise<void>
} {
  // Listen first: stdin may end at once.
  const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]).then(() => {})
  const handle = serveStdio(create, {
    onerror: ({ message }) => process.stderr.write(`tasksim: ${message}\n`),
  })
  return { ended, close: () => handle.close() }
}
