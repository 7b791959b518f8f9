import type { Argv } from 'yargs'
import type { ArgumentsOf } from '../command.js'
import { CommandLineError } from '../errors.js'
import {
  changedOption,
  checkControlToken,
  checkUrl,
  controlTokenOption,
  optionalScenario,
} from '../options/options.js'
import {
  accessOptions,
  checkAccess,
  checkPort,
  checkSimulatorOptions,
  simulatorOptions,
} from '../options/server-options.js'

/** Declares the options of `tasksim mcp`. */
export function mcpOptions(yargs: Argv) {
  return yargs
    .usage(
      '$0 mcp [scenario] [options]\n\nServes tools for coding assistants, by the Model Context Protocol on stdin and stdout. They control a simulator that the command starts, or a running server.',
    )
    .positional('scenario', optionalScenario)
    .option('http', {
      type: 'number',
      requiresArg: true,
      describe: 'Serve the tools over streamable HTTP on this port instead; 0 picks one',
    })
    .option('server', {
      type: 'string',
      requiresArg: true,
      describe: 'URL of a running server to control instead of a simulator of its own',
    })
    .option('control-token', controlTokenOption())
    .options(ownSimulatorOptions())
    .example('$0 mcp', 'Start a simulator on a free port, and serve the tools')
    .example('$0 mcp flaky --port 4010', 'Start it with a scenario on a fixed port')
    .example('$0 mcp --server http://127.0.0.1:4010', 'Control a running server')
    .check((args) => check(args as McpArguments))
}

/** The arguments of `tasksim mcp`. */
export type McpArguments = ArgumentsOf<typeof mcpOptions>

/** The options of the simulator that the command starts. */
function ownSimulatorOptions() {
  return {
    port: {
      type: 'number',
      alias: 'p',
      requiresArg: true,
      default: 0,
      describe: 'Port of the simulator, which the app under test uses; 0 picks one',
    },
    ...simulatorOptions(),
    ...accessOptions(),
  } as const
}

function check(args: McpArguments): true {
  if (args.http !== undefined) checkPort('--http', args.http)
  checkControlToken(args)
  if (args.server !== undefined) return checkRemote(args.server, args)
  checkPort('--port', args.port)
  checkAccess(args)
  return checkSimulatorOptions(args)
}

/** @throws UsageError if the URL is invalid, or if the command line also describes a simulator */
function checkRemote(server: string, args: McpArguments): true {
  checkUrl('server', server)
  const changed = changedOption(args, ownSimulatorOptions())
  const given = args.scenario === undefined ? changed && `--${changed}` : `the scenario ${args.scenario}`
  if (given === undefined) return true
  throw new CommandLineError(
    `--server names a running server, which has its own settings; got ${given} as well. Omit one of them.`,
  )
}
