import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { type EventEmitter, once } from 'node:events'
import { createServer } from 'node:net'

const running = new Set<ChildProcess>()

/**
 * Starts a program in a process group of its own, so that it can be ended with its children. It ends no later than this
 * process, if {@link endAll} is called at its exit.
 */
export function launch(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { ...options, detached: true })
  running.add(child)
  // Children of the program may outlive it.
  child.once('exit', () => signal(child, 'SIGKILL'))
  child.once('close', () => running.delete(child))
  return child
}

/** Ends a program with its children, and waits until it has exited. */
export async function end(child: ChildProcess): Promise<void> {
  signal(child, 'SIGKILL')
  await ended(child)
}

/** Resolves to the exit status of a program; null if a signal has ended it. */
export async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode
}

/** Ends all programs that are left. */
export function endAll(): void {
  for (const child of running) signal(child, 'SIGKILL')
}

/** Sends a signal to a program and its children, unless they have ended. */
export function signal(child: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, name)
  } catch (error) {
    // EPERM: on macOS, of a group that has ended.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}

/** Rejects when the process exits by itself, or after `seconds`. Use it in a race with the expected result. */
export function failure(child: ChildProcess, what: string, seconds: number): [Promise<never>, () => void] {
  const watch = new AbortController()
  const failed = new Promise<never>((_, reject) => {
    const late = () => reject(new Error(`${what} took longer than ${seconds} s.`))
    const timer = setTimeout(late, seconds * 1_000)
    watch.signal.addEventListener('abort', () => clearTimeout(timer))
    // It also rejects if the program cannot be started.
    once(child, 'exit', { signal: watch.signal }).then(
      ([code, name]) => reject(new Error(`${what}: the process ended early (${code ?? name}).`)),
      (error) => reject(error),
    )
  })
  failed.catch(() => {})
  return [failed, () => watch.abort()]
}

/** Waits until the output of a program matches a pattern. */
export async function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = ''
  const signal = AbortSignal.timeout(20_000)
  for (;;) {
    const [piece] = await once(child.stdout as EventEmitter, 'data', { signal })
    text += piece
    const match = pattern.exec(text)
    if (match !== null) return match[0]
  }
}

/** A port of this machine that nothing uses. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
