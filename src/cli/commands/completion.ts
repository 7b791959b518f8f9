import { basename } from 'node:path'
import yargs from 'yargs'
import { misuse } from '../errors.js'
import type { LazyCommand } from '../lazy-command.js'

interface CompletionArguments {
  shell: string | undefined
}

/** Prints a script by which a shell completes command lines of tasksim. */
export const completionCommand: LazyCommand<CompletionArguments> = {
  builder: (cli) =>
    cli
      .positional('shell', { choices: ['bash', 'zsh'], describe: 'The shell; that of $SHELL unless given' })
      .example('$0 completion bash >> ~/.bashrc', 'For every new bash (4 or later)')
      .example('$0 completion zsh >> ~/.zshrc', 'For every new zsh'),
  handler({ shell = basename(process.env['SHELL'] ?? '') }) {
    if (shell !== 'bash' && shell !== 'zsh')
      throw misuse('Name the shell: tasksim completion bash, or tasksim completion zsh.')
    // yargs chooses the script by this variable.
    process.env['SHELL'] = shell
    yargs([]).scriptName('tasksim').showCompletionScript()
  },
}
