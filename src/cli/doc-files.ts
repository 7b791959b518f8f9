import { readdir, readFile } from 'node:fs/promises'

/** The folder of the documentation, in the repository and in the package. */
const FOLDER = new URL('../../docs/', import.meta.url)

/** The paths of all files in the folder. The single executable replaces this module: see src/cli/executable. */
export async function docPaths(): Promise<readonly string[]> {
  const paths = await readdir(FOLDER, { recursive: true })
  return paths.map((path) => path.replaceAll('\\', '/'))
}

/** Reads a file in the folder. */
export async function readDoc(path: string): Promise<string> {
  return readFile(new URL(path, FOLDER), 'utf8')
}
