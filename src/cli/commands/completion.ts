import { basename } from 'node:path'
import yargs from 'yargs'
import { FISH_SCRIPT } from '../completion/fish-script.js'
import { CommandLineError } from '../errors.js'
import type { LazyCommand } from '../lazy-command.js'

interface CompletionArguments {
  shell: string | undefined
}

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** Prints a script that makes a shell complete tasksim commands. */
export const completionCommand: LazyCommand<CompletionArguments> = {
  builder: (cli) =>
    cli
      .positional('shell', { choices: SHELLS, describe: 'Shell (default: from $SHELL)' })
      .example('$0 completion bash >> ~/.bashrc', 'Install it for bash 4 or later')
      .example('$0 completion zsh >> ~/.zshrc', 'Install it for zsh')
      .example('$0 completion fish > ~/.config/fish/completions/tasksim.fish', 'Install it for fish'),
  handler({ shell: given = basename(process.env['SHELL'] ?? '') }) {
    const shell = SHELLS.find((name) => name === given)
    if (shell === undefined)
      throw new CommandLineError(
        `Unknown shell ${JSON.stringify(given)}. Run ${SHELLS.map((name) => `tasksim completion ${name}`).join(', ')}.`,
      )
    if (shell === 'fish') return void process.stdout.write(FISH_SCRIPT)
    // yargs reads the shell from this variable.
    process.env['SHELL'] = shell
    yargs([]).scriptName('tasksim').showCompletionScript()
  },
}
