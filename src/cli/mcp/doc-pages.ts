import { UsageError } from '../../engine/errors.js'
import { suggest } from '../../engine/suggest.js'
import { docPaths, readPackageFile } from '../../hosts/express/package-files.js'

/** The names of all pages of the documentation, such as `faults` and `reference/scenario`. */
export async function pageNames(): Promise<readonly string[]> {
  const paths = await docPaths()
  return paths.map((path) => path.replace(/\.md$/, '')).sort()
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
  return String(await readPackageFile(`docs/${name}.md`))
}
