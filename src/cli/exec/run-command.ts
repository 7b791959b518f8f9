import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** The end of a command, or the reason why it could not start. */
export interface CommandEnd {
  /** The exit status; 128 plus the number of the signal if a signal ended it. */
  readonly status: number
  /** The reason why it could not start. */
  readonly error?: string
}

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a command in this terminal, forwards signals to it, and waits until it exits. */
export function runCommand(
  [command = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<CommandEnd> {
  const child = spawn(command, args, { stdio: 'inherit', env })
  const forward = (signal: NodeJS.Signals) => {
    // A terminal sends Ctrl-C to all of its processes. A second SIGINT would make many test runners abort.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of FORWARDED) process.on(signal, forward)
  return new Promise<CommandEnd>((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(startFailure(command, error))
    })
    child.once('exit', (status, signal) => resolve({ status: status ?? 128 + signalNumber(signal) }))
  }).finally(() => {
    for (const signal of FORWARDED) process.off(signal, forward)
  })
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal]
}

/** Uses the exit statuses of a shell. */
function startFailure(command: string, { code, message }: NodeJS.ErrnoException): CommandEnd {
  const failed = `Cannot run ${JSON.stringify(command)}`
  if (code === 'ENOENT') {
    const remedy = 'Give a program on the PATH or its path; run a script of package.json with `npm run`.'
    return { status: 127, error: `${failed}: command not found. ${remedy}` }
  }
  return {
    status: 126,
    error: `${failed}: ${code === 'EACCES' ? 'it is not executable. Change its permissions.' : message}`,
  }
}
