import { readdirSync, readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'

/** A generated module. */
export interface Module {
  readonly name: string
  readonly text: string
}

/** Generates a module for each clip, in base64, and an index that loads them on demand. */
export function compileClips(folder: URL): Module[] {
  const files = readdirSync(folder).filter((file) => /\.(?:mp4|m4a|mp3)$/.test(file))
  const clips = files.sort().map((file) => ({ file, name: `${basename(file, extname(file))}.generated` }))
  const loaders = clips.map(({ file, name }) => `  '${file}': () => import('./${name}.js'),`)
  return [
    ...clips.map(({ file, name }) => ({
      name,
      text: `export const CLIP: string = '${readFileSync(new URL(file, folder)).toString('base64')}'`,
    })),
    {
      name: 'index.generated',
      text: [
        '/** Loads media clips by file name, in base64. */',
        'export const CLIPS: Readonly<Record<string, () => Promise<{ readonly CLIP: string }>>> = {',
        ...loaders,
        '}',
      ].join('\n'),
    },
  ]
}
