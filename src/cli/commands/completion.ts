import { basename } from 'node:path'
import yargs from 'yargs'
import { CommandLineError } from '../errors.js'
import type { LazyCommand } from '../lazy-command.js'

interface CompletionArguments {
  shell: string | undefined
}

/** Prints a script that makes a shell complete tasksim commands. */
export const completionCommand: LazyCommand<CompletionArguments> = {
  builder: (cli) =>
    cli
      .positional('shell', { choices: ['bash', 'zsh'], describe: 'Shell (default: from $SHELL)' })
      .example('$0 completion bash >> ~/.bashrc', 'Install it for bash 4 or later')
      .example('$0 completion zsh >> ~/.zshrc', 'Install it for zsh'),
  handler({ shell = basename(process.env['SHELL'] ?? '') }) {
    if (shell !== 'bash' && shell !== 'zsh')
      throw new CommandLineError('Unknown shell. Run tasksim completion bash or tasksim completion zsh.')
    // yargs reads the shell from this variable.
    process.env['SHELL'] = shell
    yargs([]).scriptName('tasksim').showCompletionScript()
  },
}
