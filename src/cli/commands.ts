import type { CommandModule } from 'yargs'
import { serveCommand } from './commands/serve.js'
import { lazily } from './lazy-command.js'

/** All commands, in the order in which `tasksim --help` lists them. */
export const COMMANDS = [
  serveCommand,
  lazily(
    'exec [scenario]',
    'Run a command against a simulator and report the mistakes of the client',
    async () => (await import('./commands/exec.js')).execCommand,
  ),
  lazily(
    'findings',
    'Report the mistakes of the clients of a running server',
    async () => (await import('./commands/findings.js')).findingsCommand,
  ),
  lazily(
    'validate <files..>',
    'Check scenario and dialect files, and run the `expect:` of scenarios on a manual clock',
    async () => (await import('./commands/validate.js')).validateCommand,
  ),
  lazily(
    'init [file]',
    'Write a commented starter file: a scenario or a dialect',
    async () => (await import('./commands/init.js')).initCommand,
  ),
  lazily(
    'preview <scenario>',
    'Show the outcomes, errors, times and costs of a scenario',
    async () => (await import('./commands/preview.js')).previewCommand,
  ),
  lazily(
    'learn <source>',
    'Write a scenario that behaves like a real service, from its history',
    async () => (await import('./commands/learn.js')).learnCommand,
  ),
  lazily(
    'record',
    'Run a proxy to a real service that records requests and answers',
    async () => (await import('./commands/record.js')).recordCommand,
  ),
  lazily(
    'export',
    'Write the whole state of a server to a file',
    async () => (await import('./commands/export.js')).exportCommand,
  ),
  lazily(
    'import <file>',
    'Replace the state of a server with a file that `tasksim export` has written',
    async () => (await import('./commands/import.js')).importCommand,
  ),
  lazily(
    'listen',
    'Receive webhooks, print them and check their signatures',
    async () => (await import('./commands/listen.js')).listenCommand,
  ),
  lazily(
    'trigger <event>',
    'Send a signed example webhook to a URL',
    async () => (await import('./commands/trigger.js')).triggerCommand,
  ),
  lazily(
    'secret [scenario]',
    'Print the secret that signs webhooks',
    async () => (await import('./commands/secret.js')).secretCommand,
  ),
  lazily(
    'probe [scenario]',
    'Test a webhook endpoint with forged, damaged, duplicate and slow requests',
    async () => (await import('./commands/probe.js')).probeCommand,
  ),
  lazily(
    'mcp [scenario]',
    'Serve tools for coding assistants, by the Model Context Protocol',
    async () => (await import('./commands/mcp.js')).mcpCommand,
  ),
  lazily(
    'dialects',
    'List the services whose clients can use the server, and how to point each client to it',
    async () => (await import('./commands/dialects.js')).dialectsCommand,
  ),
  lazily(
    'schema',
    'Print the JSON Schema of scenario files, or of dialect files, for editors',
    async () => (await import('./commands/schema.js')).schemaCommand,
  ),
  lazily(
    'completion [shell]',
    'Print a completion script for bash, zsh or fish',
    async () => (await import('./commands/completion.js')).completionCommand,
  ),
] as readonly CommandModule[]
