import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))
const TSX = import.meta.resolve('tsx')

/** A `tasksim` that runs. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams
  /** All that it has printed on stdout so far. */
  stdout(): string
  stderr(): string
  /** Resolves as soon as stdout holds a match, to the match. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves to the exit status. */
  readonly ended: Promise<number | null>
}

/** Starts `tasksim` from its source in a folder; it is ended with the test, where it has not ended by then. */
export function start(folder: string, args: readonly string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, ['--import', TSX, MAIN, ...args], {
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

/** A folder of its own for the test, with files in it. */
export function folderWith(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'tasksim-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}
