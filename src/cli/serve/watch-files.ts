import { relative, resolve } from 'node:path'
import { watch } from 'chokidar'
import type { Simulator } from '../../simulator/simulator.js'
import { readDialectFile } from '../dialects/dialect-file.js'
import { errorText } from '../errors.js'
import { findScenario } from '../files/find-scenario.js'
import type { ServerLog } from '../log.js'
import { colors } from '../output.js'

/** The files that a server uses. */
export interface UsedFiles {
  /** The scenario that the command line gives. */
  readonly scenario: string
  /** The scenario file and the files that it refers to; empty for a shipped scenario. */
  readonly files: readonly string[]
  /** The paths of the dialect files. */
  readonly dialects: readonly string[]
}

/** Reloads the scenario and the dialects of a server when their files are saved. @returns stops this */
export async function watchFiles(
  sim: Simulator,
  log: ServerLog,
  { scenario, files, dialects }: UsedFiles,
): Promise<() => Promise<unknown>> {
  const scenarioFile: WatchedFile = {
    noun: 'scenario',
    path: scenario,
    files,
    async reload(onFile) {
      const found = await findScenario(scenario, onFile)
      sim.useScenario(found.scenario, { keep: true })
    },
  }
  const dialectFiles = dialects.map(
    (path): WatchedFile => ({
      noun: 'dialect',
      path,
      files: [resolve(path)],
      reload: async () => sim.dialects.add(readDialectFile(path)),
    }),
  )
  const watched = files.length > 0 ? [scenarioFile, ...dialectFiles] : dialectFiles
  const stops = await Promise.all(watched.map((file) => watchFile(file, log)))
  return () => Promise.all(stops.map((stop) => stop()))
}

/** A file that a server uses, with the files that it refers to. */
interface WatchedFile {
  readonly noun: 'scenario' | 'dialect'
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
async function watchFile(
  { noun, path, files, reload }: WatchedFile,
  log: ServerLog,
): Promise<() => Promise<void>> {
  // An editor may write a file in pieces or replace it.
  const watcher = watch([...files], {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 },
  })
  await new Promise<void>((ready) => watcher.once('ready', ready))
  const report = (name: string, state: string, problem: string, message: string) =>
    log.event(
      noun,
      () => ({ path: name, state, message }),
      () => colors.red(`${problem}; the previous version stays active.\n${message}`),
    )
  watcher.on('all', async (event, file) => {
    if (event === 'unlink') {
      const name = file === resolve(path) ? path : relative('.', file)
      report(name, 'deleted', `The ${noun} ${name} was deleted`, 'Save the file again to reload it.')
      return
    }
    try {
      await reload((used) => watcher.add(used))
      log.event(
        noun,
        () => ({ path, state: 'reloaded' }),
        () => colors.green(`Reloaded the ${noun} ${path}`),
      )
    } catch (error) {
      report(path, 'broken', `Invalid ${noun} ${path}`, errorText(error))
    }
  })
  return () => watcher.close()
}
