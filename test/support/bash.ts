import { type ExecFileOptions, execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Runs bash without the startup files of the machine, whose output and failures are not part of a test. Without these
 * options, bash reads `~/.bashrc` and `/etc/bash.bashrc` when its stdin is a socket, as it is under Node.
 */
export async function bash(
  args: readonly string[],
  { env = process.env, ...options }: ExecFileOptions = {},
): Promise<{ stdout: string; stderr: string }> {
  const { BASH_ENV: _, ...rest } = env
  const all = { ...options, env: rest, encoding: 'utf8' } as const
  return run('bash', ['--norc', '--noprofile', ...args], all)
}
