import { spawn } from 'node:child_process'
import { constants } from 'node:os'

/** How a command ended: by itself, or not even begun. */
export interface CommandEnd {
  /** Its exit status; 128 and the signal's number where a signal ended it. */
  readonly status: number
  /** Why it could not be run. */
  readonly trouble?: string
}

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a command in this terminal, passes signals on to it, and waits for its end. */
export function runCommand(
  [command = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<CommandEnd> {
  const child = spawn(command, args, { stdio: 'inherit', env })
  const passOn = (signal: NodeJS.Signals) => {
    // A terminal sends Ctrl-C to all of its processes; twice would make many a test runner give up at once.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of PASSED_ON) process.on(signal, passOn)
  return new Promise<CommandEnd>((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(notRun(command, error))
    })
    child.once('exit', (status, signal) => resolve({ status: status ?? 128 + numberOf(signal) }))
  }).finally(() => {
    for (const signal of PASSED_ON) process.off(signal, passOn)
  })
}

function numberOf(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal]
}

/** What a shell would say, with the statuses that it would end with. */
function notRun(command: string, { code, message }: NodeJS.ErrnoException): CommandEnd {
  const failed = `Cannot run ${JSON.stringify(command)}`
  if (code === 'ENOENT') {
    const remedy = 'Give a program on the PATH, or its path; a script of package.json runs with `npm run`.'
    return { status: 127, trouble: `${failed}: there is no such command. ${remedy}` }
  }
  return { status: 126, trouble: `${failed}: ${code === 'EACCES' ? 'it may not be executed.' : message}` }
}
