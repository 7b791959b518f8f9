import { defineCommand } from '../command.js'
import { mcpOptions } from '../mcp/mcp-options.js'

/** Serves the tools for coding assistants until the assistant or a signal ends it. */
export const command = defineCommand({
  builder: mcpOptions,
  async handler(args) {
    const { runMcp } = await import('../mcp/run-mcp.js')
    await runMcp(args)
  },
})
