import { relative, resolve } from 'node:path'
import type { Simulator } from '../simulator.js'
import { errorText } from './errors.js'
import { deletedLine, type LogFormat, scenarioLine } from './log.js'
import { print } from './output.js'

/** Reloads the scenario when its file, or a file that it extends, is saved. */
export async function watchScenario(
  sim: Simulator,
  path: string,
  files: readonly string[],
  format: LogFormat,
): Promise<() => Promise<void>> {
  const [{ watch }, { readScenarioFile }] = await Promise.all([
    import('chokidar'),
    import('./scenario-files.js'),
  ])
  // An editor may write a file in pieces or replace it.
  const watcher = watch([...files], {
    ignoreInitial: true,
    awaitWriteFinish: { stabilityThreshold: 50, pollInterval: 10 },
  })
  await new Promise<void>((ready) => watcher.once('ready', ready))
  watcher.on('all', (event, file) => {
    if (event === 'unlink') {
      const name = file === resolve(path) ? path : relative('.', file)
      print(deletedLine(format, name, sim.clock.now()))
      return
    }
    try {
      const { scenario } = readScenarioFile(path, (file) => watcher.add(file))
      sim.useScenario(scenario, { keep: true })
      print(scenarioLine(format, path, sim.clock.now()))
    } catch (error) {
      print(scenarioLine(format, path, sim.clock.now(), errorText(error)))
    }
  })
  return () => watcher.close()
}
