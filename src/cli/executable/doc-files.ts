import { getAsset } from 'node:sea'

/** The paths of the pages of the documentation in the executable. */
export async function docPaths(): Promise<readonly string[]> {
  return JSON.parse(getAsset('docs.json', 'utf8'))
}

/** Reads a page of the documentation from the executable. */
export async function readDoc(path: string): Promise<string> {
  return getAsset(`docs/${path}`, 'utf8')
}
