import type { CommandModule } from 'yargs'
import { serveCommand } from './commands/serve.js'
import { lazily } from './lazy-command.js'

/** All commands, in the order in which `tasksim --help` lists them. */
export const COMMANDS = [
  serveCommand,
  lazily(
    'exec [scenario]',
    'Run a command against a simulator, and judge it: tasksim exec [scenario] -- COMMAND',
    async () => (await import('./commands/exec.js')).execCommand,
  ),
  lazily(
    'validate <files..>',
    'Check scenario files, and try out their `expect:` on a manual clock',
    async () => (await import('./commands/validate.js')).validateCommand,
  ),
  lazily(
    'init [file]',
    'Write a commented starter scenario',
    async () => (await import('./commands/init.js')).initCommand,
  ),
  lazily(
    'preview <scenario>',
    'Show what a scenario will do: outcomes, errors, times, costs',
    async () => (await import('./commands/preview.js')).previewCommand,
  ),
  lazily(
    'listen',
    'Receive webhooks: print each one, and whether its signature is right',
    async () => (await import('./commands/listen.js')).listenCommand,
  ),
  lazily(
    'trigger <event>',
    'Send a signed example webhook to a URL',
    async () => (await import('./commands/trigger.js')).triggerCommand,
  ),
  lazily(
    'probe [scenario]',
    'Attack a webhook endpoint of yours with all that it must stand, and judge it',
    async () => (await import('./commands/probe.js')).probeCommand,
  ),
  lazily(
    'schema',
    'Print the JSON Schema of scenario files, which editors complete and check them by',
    async () => (await import('./commands/schema.js')).schemaCommand,
  ),
  lazily(
    'completion [shell]',
    'Print a script by which bash or zsh completes commands, options and scenarios',
    async () => (await import('./commands/completion.js')).completionCommand,
  ),
] as readonly CommandModule[]
