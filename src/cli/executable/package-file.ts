import { getAsset } from 'node:sea'

/** Reads a file of the package from the executable. */
export async function readPackageFile(path: string): Promise<Buffer> {
  return Buffer.from(getAsset(path))
}
