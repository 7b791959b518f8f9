import { relative, resolve } from 'node:path'
import type { Simulator } from '../../simulator/simulator.js'
import { errorText } from '../errors.js'
import type { LogFormat } from '../log.js'
import { print } from '../output.js'
import { deletedLine, type FileNoun, reloadedLine } from './server-lines.js'

/** A file that a server uses, with the files that it refers to. */
export interface WatchedFile {
  readonly noun: FileNoun
  /** As the command line gives it. */
  readonly path: string
  /** The files to watch. */
  readonly files: readonly string[]
  /**
   * Applies the file again.
   * @param onFile called with every file to watch from now on
   * @throws UsageError if a file is invalid
   */
  reload(onFile: (file: string) => void): Promise<void>
}

/** Reloads a file when it, or a file that it refers to, is saved. */
export async function watchFile(
  sim: Simulator,
  { noun, path, files, reload }: WatchedFile,
  format: LogFormat,
): Promise<() => Promise<void>> {
  const { watch } = await import('chokidar')
  // An editor may write a file in pieces or replace it.
  const watcher = watch([...files], {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 },
  })
  await new Promise<void>((ready) => watcher.once('ready', ready))
  watcher.on('all', async (event, file) => {
    const now = sim.clock.now()
    if (event === 'unlink') {
      const name = file === resolve(path) ? path : relative('.', file)
      print(deletedLine(format, { noun, path: name }, now))
      return
    }
    try {
      await reload((used) => watcher.add(used))
      print(reloadedLine(format, { noun, path }, now))
    } catch (error) {
      print(reloadedLine(format, { noun, path }, now, errorText(error)))
    }
  })
  return () => watcher.close()
}
