import { resolve } from 'node:path'
import type { Simulator } from '../../simulator/simulator.js'
import { findScenario } from '../files/find-scenario.js'
import type { WatchedFile } from './watch-files.js'

/** A scenario file that a server reloads when it is saved. */
export function reloadableScenario(sim: Simulator, path: string, files: readonly string[]): WatchedFile {
  return {
    noun: 'scenario',
    path,
    files,
    async reload(onFile) {
      const { scenario } = await findScenario(path, onFile)
      sim.useScenario(scenario, { keep: true })
    },
  }
}

/** A dialect file that a server reloads when it is saved. */
export async function reloadableDialect(sim: Simulator, path: string): Promise<WatchedFile> {
  const { readDialectFile } = await import('../dialects/dialect-file.js')
  return {
    noun: 'dialect',
    path,
    files: [resolve(path)],
    reload: async () => sim.dialects.add(readDialectFile(path)),
  }
}
