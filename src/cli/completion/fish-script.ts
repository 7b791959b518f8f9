/**
 * Completes tasksim commands in fish. The script of yargs for fish passes other words than its scripts for bash and zsh,
 * and completes no files. `SHELL` makes tasksim print descriptions in the format of fish.
 */
export const FISH_SCRIPT = `# Completes tasksim commands. To install it:
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
