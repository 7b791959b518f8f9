import { readFile } from 'node:fs/promises'

/**
 * Reads a file of the package. Resolves the path from the package, because this module is part of the source, the
 * library and the bundled command line. The single executable replaces this module: see `REPLACED` in src/cli/executable.
 * @param path relative to the package, such as `dist/scenario.schema.json`
 */
export async function readPackageFile(path: string): Promise<Buffer> {
  return readFile(new URL(path, import.meta.resolve('tasksim/package.json')))
}
