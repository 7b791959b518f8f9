import type { Simulator } from '../../simulator.js'
import type { LogFormat } from '../log.js'

/**
 * Watches the files that the command line gives.
 * @param given the scenario with its files, and the dialect files
 */
export async function watchAll(
  sim: Simulator,
  {
    scenario,
    files,
    dialects,
  }: {
    readonly scenario: string
    readonly files: readonly string[]
    readonly dialects: readonly string[]
  },
  format: LogFormat,
): Promise<() => Promise<unknown>> {
  if (files.length + dialects.length === 0) return async () => {}
  const [{ watchFile }, { reloadableScenario, reloadableDialect }] = await Promise.all([
    import('./watch-files.js'),
    import('./reloadable-files.js'),
  ])
  const watched = await Promise.all([
    ...(files.length > 0 ? [reloadableScenario(sim, scenario, files)] : []),
    ...dialects.map((path) => reloadableDialect(sim, path)),
  ])
  const unwatch = await Promise.all(watched.map((file) => watchFile(sim, file, format)))
  return () => Promise.all(unwatch.map((stop) => stop()))
}
