import { TOOLS } from '../../src/cli/mcp/tools/tools.js'
import { code, page, table } from './markdown.js'

const INTRODUCTION =
  'The tools that `tasksim mcp` gives to coding assistants; see [mcp.md](../mcp.md). Each describes its arguments to the assistant.'

/** Generates the list of the tools of `tasksim mcp`. */
export function toolsReference(): string {
  const rows = TOOLS.map(({ name, description }) => [code(name), description])
  return page('Tools for coding assistants', INTRODUCTION, table(['tool', 'effect'], rows))
}
