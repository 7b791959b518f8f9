#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import yargs from 'yargs'
import { hideBin } from 'yargs/helpers'
import { execCommand } from './commands/exec.js'
import { initCommand } from './commands/init.js'
import { listenCommand } from './commands/listen.js'
import { previewCommand } from './commands/preview.js'
import { probeCommand } from './commands/probe.js'
import { schemaCommand } from './commands/schema.js'
import { serveCommand } from './commands/serve.js'
import { triggerCommand } from './commands/trigger.js'
import { validateCommand } from './commands/validate.js'
import { explain, misuse } from './explain.js'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

try {
  await yargs(hideBin(process.argv))
    .scriptName('tasksim')
    .usage('$0 [scenario]\n\nA local stand-in for an asynchronous generation API.')
    .command(serveCommand)
    .command(execCommand)
    .command(validateCommand)
    .command(initCommand)
    .command(previewCommand)
    .command(listenCommand)
    .command(triggerCommand)
    .command(probeCommand)
    .command(schemaCommand)
    .strict()
    .version(version)
    .help()
    .alias({ h: 'help' })
    .wrap(Math.min(110, process.stdout.columns ?? 110))
    .fail((message, error) => {
      throw error ?? misuse(message)
    })
    .parseAsync()
} catch (error) {
  process.stderr.write(`tasksim: ${explain(error)}\n`)
  process.exitCode = 1
}
