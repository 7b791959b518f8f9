import { basename } from 'node:path'
import yargs from 'yargs'
import { defineCommand } from '../command.js'
import { CommandLineError } from '../errors.js'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** Prints a script that makes a shell complete tasksim commands. */
export const command = defineCommand({
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
})

/**
 * Completes tasksim commands in fish. The script of yargs for fish passes other words than its scripts for bash and zsh,
 * and completes no files. `SHELL` makes tasksim print descriptions in the format of fish.
 */
const FISH_SCRIPT = `# Completes tasksim commands. To install it:
#   tasksim completion fish > ~/.config/fish/completions/tasksim.fish
function __tasksim_complete
    set -l token (commandline -ct)
    set -l found (env SHELL=fish tasksim --get-yargs-completions (commandline -opc) "$token" 2>/dev/null)
    set -l matching (string match -r -- '^'(string escape --style=regex -- "$token")'.*' $found)
    if set -q matching[1]
        printf '%s\\n' $matching
    else
        __fish_complete_path "$token"
    end
end
complete -c tasksim -e
complete -c tasksim -f -a '(__tasksim_complete)'
`
