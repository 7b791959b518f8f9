import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

const running = new Set<ChildProcess>()

/** Registers a child process, so that it ends no later than this process. */
export function keep<Child extends ChildProcess>(child: Child): Child {
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}

/** Ends a process and waits until it has exited. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Ends all remaining child processes when this process exits. */
export function endAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

/** Rejects when the process exits by itself, or after `seconds`. Use it in a race with the expected result. */
export function failure(child: ChildProcess, what: string, seconds: number): [Promise<never>, () => void] {
  const watch = new AbortController()
  const { signal } = watch
  const failed = new Promise<never>((_, reject) => {
    const timer = setTimeout(
      () => reject(new Error(`${what} took longer than ${seconds} s.`)),
      seconds * 1_000,
    )
    signal.addEventListener('abort', () => clearTimeout(timer))
    once(child, 'exit', { signal }).then(
      ([code, name]) => reject(new Error(`${what}: the process ended early (${code ?? name}).`)),
      () => {},
    )
  })
  failed.catch(() => {})
  return [failed, () => watch.abort()]
}
