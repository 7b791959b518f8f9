import { lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The start of the names of the folders; the id of the process follows. */
const PREFIX = 'tasksim-intercept-'
const NAME = new RegExp(`^${PREFIX}(\\d+)-`)

/** A folder that only this user can read. It is deleted when the process ends, or when another one starts. */
export class PrivateFolder {
  readonly path: string
  readonly #onExit = () => this.delete()
  readonly #onHangup = () => {
    // Without a listener, the signal would end the process, and nothing would delete the folder.
    if (process.listenerCount('SIGHUP') === 1) process.exit(129)
  }

  constructor() {
    deleteAbandoned()
    this.path = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
    process.on('exit', this.#onExit)
    process.on('SIGHUP', this.#onHangup)
  }

  /** Writes a file. @returns its path */
  write(name: string, content: string | Uint8Array): string {
    const path = join(this.path, name)
    writeFileSync(path, content, { mode: 0o600 })
    return path
  }

  /** Writes a file in a folder of its own. @returns the path of that folder */
  writeIn(folder: string, name: string, content: string): string {
    mkdirSync(join(this.path, folder))
    this.write(join(folder, name), content)
    return join(this.path, folder)
  }

  delete(): void {
    process.off('exit', this.#onExit)
    process.off('SIGHUP', this.#onHangup)
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** Deletes the folders of this user's processes that were killed. */
function deleteAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = NAME.exec(name) ?? []
    if (pid === undefined || isRunning(Number(pid))) continue
    const path = join(tmpdir(), name)
    try {
      const found = lstatSync(path)
      const user = process.getuid?.() ?? found.uid
      if (found.isDirectory() && found.uid === user) rmSync(path, { recursive: true, force: true })
    } catch {
      // Another process has deleted it.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
