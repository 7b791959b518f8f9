import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { COMMAND_NAMES } from '../../src/cli/parsing/called-command.js'
import { candidates } from '../../src/cli/parsing/completions.js'
import { EVENT_NAMES } from '../../src/engine/webhooks/events/task-event.js'
import { SHIPPED_NAMES } from '../../src/index.js'
import { bash } from '../support/bash.js'
import { deepTest } from '../support/deep.js'
import { folderWith, MAIN } from './run.js'
import { runInProcess } from './run-in-process.js'

const words = async (...line: string[]) => (await candidates(line)).map(({ word }) => word)

describe('completion of a command line', () => {
  it('offers commands and shipped scenarios as the first word', async () => {
    expect(await words('')).toEqual([...COMMAND_NAMES, ...SHIPPED_NAMES])
    expect(await words('--port', '1', '')).toContain('flaky')
  })

  it('offers the options of the command, and no single-value option twice', async () => {
    expect(await words('--')).toEqual(expect.arrayContaining(['--port', '--help', '--webhook', '--open']))
    expect(await words('-p', '1', '--webhook', 'http://x/', '--')).not.toContain('--port')
    expect(await words('--webhook', 'http://x/', '--')).toContain('--webhook')
    expect(await words('exec', 'flaky', '--m')).toContain('--max-cost')
    expect(await words('exec', '--')).not.toContain('--port')
  })

  it('offers the choices of an option or an argument, and nothing where any value fits', async () => {
    expect(await words('--clock', '')).toEqual(['real', 'manual'])
    expect(await words('trigger', '')).toEqual([...EVENT_NAMES])
    expect(await words('--root-dialect', '')).toContain('luma')
    expect(await words('exec', '--dialect', '')).toContain('luma')
    expect(await words('--seed', '')).toEqual([])
    expect(await words('init', '')).toEqual([])
  })

  it('offers scenarios as many times as the command accepts them', async () => {
    expect(await words('exec', '--seed', '7', '')).toEqual([...SHIPPED_NAMES])
    expect(await words('exec', '--intercept=*', '')).toEqual([...SHIPPED_NAMES])
    expect(await words('validate', 'flaky', '')).toEqual([...SHIPPED_NAMES])
    expect(await words('exec', 'flaky', '')).toEqual([])
    expect(await words('flaky', '')).toEqual([])
  })

  it('offers nothing after two dashes', async () => {
    expect(await words('exec', '--', '')).toEqual([])
  })
})

it.each([
  ['bash', {}, /^complete .* _tasksim_yargs_completions tasksim$/m],
  ['zsh', {}, /^#compdef tasksim$/m],
  ['fish', {}, /^complete -c tasksim -f -a '\(__tasksim_complete\)'$/m],
  ['', { SHELL: '/bin/zsh' }, /^#compdef tasksim$/m],
  ['', { SHELL: '/usr/bin/fish' }, /^function __tasksim_complete$/m],
])('the completion prints the script for %j with %j', async (shell, env, line) => {
  const running = runInProcess(folderWith(), ['completion', ...(shell === '' ? [] : [shell])], env)
  expect(await running.ended).toBe(0)
  expect(running.stdout()).toMatch(line)
})

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version']).status === 0
}

/** Returns a PATH with a `tasksim` command. */
function onPath(): string {
  const folder = folderWith({ tasksim: `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n` })
  chmodSync(join(folder, 'tasksim'), 0o755)
  return `${folder}:${process.env['PATH']}`
}

deepTest('the completion completes commands, scenarios, options and their values in bash', async () => {
  const completions = {
    'tasksim pre': 'preview',
    'tasksim exec fla': 'flaky',
    'tasksim --clo': '--clock',
    'tasksim --clock m': 'manual',
  }
  const complete = (line: string) => `
    COMP_WORDS=(${line}); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 )); COMP_LINE='${line}'; COMP_POINT=\${#COMP_LINE}
    _tasksim_yargs_completions; echo "\${COMPREPLY[@]}"`
  const script = ['source <(tasksim completion bash)', ...Object.keys(completions).map(complete)].join('\n')
  const { stdout } = await bash(['-euc', script], { env: { PATH: onPath(), SHELL: '/bin/bash' } })
  expect(stdout.trim().split('\n')).toEqual(Object.values(completions))
})

deepTest('the completion gives zsh a description of each word', async () => {
  const running = runInProcess(folderWith(), ['--get-yargs-completions', 'tasksim', 'exec', ''], {
    SHELL: '/bin/zsh',
  })
  expect(await running.ended).toBe(0)
  expect(running.stdout()).toMatch(/^flaky:one task in five fails, with different errors$/m)
})

deepTest('the completion gives fish a description of each word', async () => {
  const running = runInProcess(folderWith(), ['--get-yargs-completions', 'tasksim', 'exec', ''], {
    SHELL: 'fish',
  })
  expect(await running.ended).toBe(0)
  expect(running.stdout()).toMatch(/^flaky\tone task in five fails, with different errors$/m)
})

it.runIf(isInstalled('fish'))('the completion completes commands, options and files in fish', () => {
  const home = folderWith({ 'own.yaml': '' })
  const complete = (line: string) => `complete -C ${JSON.stringify(line)}`
  const script = ['tasksim completion fish | source', complete('tasksim exec fla'), complete('tasksim ./ow')]
  const { stdout } = spawnSync('fish', ['--no-config', '-c', script.join('\n')], {
    ...{ cwd: home, encoding: 'utf8' },
    env: { HOME: home, PATH: onPath() },
  })
  expect(stdout).toBe('flaky\tone task in five fails, with different errors\n./own.yaml\n')
})

it('the completion asks for the shell if $SHELL is not a supported one', async () => {
  const running = runInProcess(folderWith(), ['completion'], { SHELL: '/bin/ksh' })
  expect(await running.ended).toBe(1)
  expect(running.stderr()).toContain(
    'Unknown shell "ksh". Run tasksim completion bash, tasksim completion zsh, ',
  )
})
