import { readdir, readFile } from 'node:fs/promises'
import { UsageError } from '../engine/errors.js'
import { suggest } from '../engine/suggest.js'

/** The names of all pages of the documentation, such as `faults` and `reference/scenario`. */
export async function pageNames(): Promise<readonly string[]> {
  const paths = await docPaths()
  return paths
    .filter((path) => path.endsWith('.md'))
    .map((path) => path.replace(/\.md$/, ''))
    .sort()
}

/**
 * Reads a page of the documentation, in Markdown.
 * @throws UsageError if there is no such page
 */
export async function readPage(name: string): Promise<string> {
  const names = await pageNames()
  // The name comes from a client, so only the names of existing pages become paths.
  if (!names.includes(name))
    throw new UsageError(`There is no page ${JSON.stringify(name.slice(0, 100))}: ${suggest(name, names)}`)
  return readDoc(`${name}.md`)
}

/** The folder of the documentation, in the repository and in the package. */
const FOLDER = new URL('../../docs/', import.meta.url)

/** The paths of all files in the folder. The single executable replaces this module: see src/cli/executable. */
async function docPaths(): Promise<readonly string[]> {
  const paths = await readdir(FOLDER, { recursive: true })
  return paths.map((path) => path.replaceAll('\\', '/'))
}

/** Reads a file in the folder. */
async function readDoc(path: string): Promise<string> {
  return readFile(new URL(path, FOLDER), 'utf8')
}
