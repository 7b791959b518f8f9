import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** The script that starts the command line. */
export const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

/** A running `tasksim`. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams
  /** Returns all stdout output so far. */
  stdout(): string
  stderr(): string
  /** Resolves to the first match in stdout. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves to the exit status. */
  readonly ended: Promise<number | null>
}

/** Starts the bundled `tasksim` in a folder. The end of the test kills it. */
export function start(folder: string, args: readonly string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = once(child, 'close').then(([status]) => status as number | null)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, ended, stdout: () => stdout, stderr: () => stderr, printed }

  async function printed(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(stdout)
      if (match !== null) return match
      const more = await Promise.race([once(child.stdout, 'data'), ended])
      if (!Array.isArray(more))
        throw new Error(`tasksim ended before it printed ${pattern}:\n${stdout}${stderr}`)
    }
  }
}

/** Creates a folder for the test, with files in it. */
export function folderWith(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'tasksim-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
