import { getAsset } from 'node:sea'

/** Reads a file of the package from the executable. */
export async function readPackageFile(path: string): Promise<Buffer> {
  return Buffer.from(getAsset(path))
}

/** The paths of the pages of the documentation in the executable, below `docs`. */
export async function docPaths(): Promise<readonly string[]> {
  return JSON.parse(getAsset('docs.json', 'utf8'))
}
