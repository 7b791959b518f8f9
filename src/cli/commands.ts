import type { CommandModule } from 'yargs'
import { lazily } from './command.js'
import { command as serve } from './commands/serve.js'

/** All commands, in the order in which `tasksim --help` lists them. */
export const COMMANDS: readonly CommandModule[] = [
  // yargs reads the options of the default command before it shows help, and does not await them.
  {
    command: ['$0 [scenario]', 'serve [scenario]'],
    describe: 'Serve a scenario or a recording over HTTP',
    builder: serve.builder,
    handler: (args) => serve.handler(args as Parameters<typeof serve.handler>[0]),
  },
  lazily(
    'exec [scenario]',
    'Run a command against a simulator and report the mistakes of the client',
    () => import('./commands/exec.js'),
  ),
  lazily(
    'explore [scenario]',
    'Run a command again for each failure at each of its requests, and report what it does',
    () => import('./commands/explore.js'),
  ),
  lazily(
    'findings',
    'Report the mistakes of the clients of a running server',
    () => import('./commands/findings.js'),
  ),
  lazily(
    'validate <files..>',
    'Check scenario and dialect files, and run the `expect:` of scenarios on a manual clock',
    () => import('./commands/validate.js'),
  ),
  lazily(
    'init [file]',
    'Write a commented starter file: a scenario or a dialect',
    () => import('./commands/init.js'),
  ),
  lazily(
    'preview <scenario>',
    'Show the outcomes, errors, times and costs of a scenario',
    () => import('./commands/preview.js'),
  ),
  lazily(
    'learn <source>',
    'Write a scenario that behaves like a real service, from its history',
    () => import('./commands/learn.js'),
  ),
  lazily(
    'record',
    'Run a proxy to a real service that records requests and answers',
    () => import('./commands/record.js'),
  ),
  lazily(
    'compare <recording>',
    'Compare what a service answered with what its dialect would have answered',
    () => import('./commands/compare.js'),
  ),
  lazily('export', 'Write the whole state of a server to a file', () => import('./commands/export.js')),
  lazily(
    'import <file>',
    'Replace the state of a server with a file that `tasksim export` has written',
    () => import('./commands/import.js'),
  ),
  lazily(
    'listen',
    'Receive webhooks, print them and check their signatures',
    () => import('./commands/listen.js'),
  ),
  lazily('trigger <event>', 'Send a signed example webhook to a URL', () => import('./commands/trigger.js')),
  lazily('secret [scenario]', 'Print the secret that signs webhooks', () => import('./commands/secret.js')),
  lazily(
    'probe [scenario]',
    'Test a webhook endpoint with forged, damaged, duplicate and slow requests',
    () => import('./commands/probe.js'),
  ),
  lazily(
    'mcp [scenario]',
    'Serve tools for coding assistants, by the Model Context Protocol',
    () => import('./commands/mcp.js'),
  ),
  lazily(
    'dialects [dialects..]',
    'List the services whose clients can use the server, and how to point each client to it',
    () => import('./commands/dialects.js'),
  ),
  lazily(
    'schema',
    'Print the JSON Schema of scenario files, or of dialect files, for editors',
    () => import('./commands/schema.js'),
  ),
  lazily(
    'completion [shell]',
    'Print a completion script for bash, zsh or fish',
    () => import('./commands/completion.js'),
  ),
]
