import { readdir, readFile } from 'node:fs/promises'

/**
 * Reads a file of the package. Resolves the path from the package, because this module is part of the source, the
 * library and the bundled command line. The single executable replaces this module: see src/cli/executable.
 * @param path relative to the package, such as `dist/scenario.schema.json`
 */
export async function readPackageFile(path: string): Promise<Buffer> {
  return readFile(urlOf(path))
}

/** The paths of the pages of the documentation, below `docs`. */
export async function docPaths(): Promise<readonly string[]> {
  const paths = await readdir(urlOf('docs/'), { recursive: true })
  return paths.filter((path) => path.endsWith('.md')).map((path) => path.replaceAll('\\', '/'))
}

function urlOf(path: string): URL {
  return new URL(path, import.meta.resolve('tasksim/package.json'))
}
