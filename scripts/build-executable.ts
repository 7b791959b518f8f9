/**
 * Builds `build/tasksim`: one file with Node, the command line and its data, for Linux. It contains the Node that runs this
 * script. `npm run build` must have run before.
 */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inject } from 'postject'
import { build } from 'vite'

/** Where Node looks for the data, and the mark in its binary that says whether there are any. */
const RESOURCE = 'NODE_SEA_BLOB'
const SENTINEL = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const root = fileURLToPath(new URL('../', import.meta.url))
const out = join(root, 'build')
const script = join(out, 'script/main.cjs')
const blob = join(out, 'script/tasksim.blob')
const program = join(out, 'tasksim')

requirePlatform()
await build({ root: join(root, 'src/cli/executable'), logLevel: 'error' })
writeBlob()
await writeProgram()
writeLicenses()
process.stdout.write(`Wrote ${relative(process.cwd(), program)}: Node ${process.version}\n`)

function requirePlatform(): void {
  if (process.platform !== 'linux')
    throw new Error(`The executable can be built on Linux only; this is ${process.platform}.`)
  if (!existsSync(join(root, 'dist/dashboard/index.html')))
    throw new Error('dist/dashboard is missing. Run npm run build before.')
}

/** Writes the script and the data in the format in which a Node binary contains them. */
function writeBlob(): void {
  const native = nativeFiles()
  const list = join(out, 'script/native.json')
  writeFileSync(list, JSON.stringify({ binding: native.binding, all: Object.keys(native.files) }))
  const config = {
    main: script,
    output: blob,
    disableExperimentalSEAWarning: true,
    // The compiled code halves the start time.
    useCodeCache: true,
    assets: { ...packageFiles(), ...docFiles(), ...native.files, 'native.json': list },
  }
  const path = join(out, 'script/sea.json')
  writeFileSync(path, JSON.stringify(config))
  execFileSync(process.execPath, ['--experimental-sea-config', path], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

/** The files that `readPackageFile` reads, by their paths in the package. */
function packageFiles(): Record<string, string> {
  const folder = join(root, 'dist/dashboard')
  const page = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
  const paths = ['package.json', 'dist/scenario.schema.json', ...page]
  return Object.fromEntries(paths.map((path) => [path, join(root, path)]))
}

/** The pages of the documentation, and the list of their paths. */
function docFiles(): Record<string, string> {
  const folder = join(root, 'docs')
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  )
  const list = join(out, 'script/docs.json')
  writeFileSync(list, JSON.stringify(paths))
  const entries = paths.map((path) => [`docs/${path}`, join(folder, path)])
  return { ...Object.fromEntries(entries), 'docs.json': list }
}

/** The native libraries of sharp for this machine, by their paths below `node_modules/@img`. */
function nativeFiles(): { binding: string; files: Record<string, string> } {
  const require = createRequire(import.meta.url)
  const platform = `${process.platform}-${process.arch}`
  const folderOf = (name: string) => join(dirname(require.resolve(`${name}/package`)), 'lib')
  const entries = [`sharp-${platform}`, `sharp-libvips-${platform}`].flatMap((name) => {
    const folder = folderOf(`@img/${name}`)
    const libraries = readdirSync(folder).filter((file) => /\.node$|\.so(?:\.|$)/.test(file))
    return libraries.map((file) => [`${name}/lib/${file}`, join(folder, file)] as const)
  })
  const binding = entries.find(([path]) => path.endsWith('.node'))?.[0]
  if (binding === undefined) throw new Error(`sharp has no library for ${platform}. Run npm ci again.`)
  return { binding, files: Object.fromEntries(entries) }
}

async function writeProgram(): Promise<void> {
  copyFileSync(process.execPath, program)
  chmodSync(program, 0o755)
  await inject(program, RESOURCE, readFileSync(blob), { sentinelFuse: SENTINEL })
}

/** Writes the licenses of the bundled packages, of the native libraries and of Node beside the program. */
function writeLicenses(): void {
  const file = join(out, 'tasksim.licenses.md')
  copyFileSync(join(out, 'script/licenses.md'), file)
  appendFileSync(
    file,
    [
      '',
      '## libvips and its dependencies, in @img/sharp-libvips',
      '',
      'LGPL-3.0-or-later and others: https://github.com/lovell/sharp-libvips/blob/main/THIRD-PARTY-NOTICES.md',
      '',
      `## Node ${process.version}`,
      '',
      `MIT and others: https://github.com/nodejs/node/blob/${process.version}/LICENSE`,
      '',
    ].join('\n'),
  )
}
