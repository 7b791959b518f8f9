import { resolve } from 'node:path'
import type { Simulator } from '../simulator.js'
import type { WatchedFile } from './watch-files.js'

/** A scenario file that a server reloads when it is saved. */
export async function reloadableScenario(
  sim: Simulator,
  path: string,
  files: readonly string[],
): Promise<WatchedFile> {
  const { readScenarioFile } = await import('./scenario-files.js')
  return {
    noun: 'scenario',
    path,
    files,
    reload: (onFile) => sim.useScenario(readScenarioFile(path, onFile).scenario, { keep: true }),
  }
}

/** A dialect file that a server reloads when it is saved. */
export async function reloadableDialect(sim: Simulator, path: string): Promise<WatchedFile> {
  const { readDialectFile } = await import('./dialects/dialect-file.js')
  return {
    noun: 'dialect',
    path,
    files: [resolve(path)],
    reload: () => sim.dialects.add(readDialectFile(path)),
  }
}
