import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import type { Packed } from './pack.js'
import { ROOT, run } from './workshop.js'

/** All that may be in the package. Whatever is none of it got in unseen. */
const MAY_BE_THERE = [
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
  /^dist\/(?:index|simulator|simulator-settings)\.(?:js|d\.ts)$/,
  /^dist\/(?:api|client|core|hosts|media|vitest)\/(?:[\w-]+\/)*[\w.-]+(?<!\.d)\.js$/,
  /^dist\/(?:api|client|core|hosts|vitest)\/(?:[\w-]+\/)*[\w-]+(?:\.generated)?\.d\.ts$/,
  /^dist\/cli\/(?:[\w.-]+(?<!\.d)\.js|licenses\.md)$/,
  /^dist\/media\/video\/mp4\.licenses\.md$/,
  /^dist\/dashboard\/(?:index\.html|licenses\.md|assets\/(?:index|icon)-[\w-]+\.(?:js|css|svg))$/,
  /^dist\/scenario\.schema\.json$/,
  /^docs\/(?:reference\/)?[\w-]+\.md$/,
  // The README shows it, wherever it is read.
  /^docs\/dashboard\.png$/,
  /^docs\/licenses\/[\w-]+\.txt$/,
  /^scenarios\/[\w-]+\.yaml$/,
]

/** What is in no package, whatever the folder; an example may well have tests and TypeScript. */
const NEVER = /(?:\.map|\.tgz|\.log|\.tsbuildinfo|-lock\.json|(?:^|\/)\.[^/]*|\/node_modules\/.*)$/

/** The muxer is a part of it, which was a package of 11 MB. */
const MOST_PACKED = 2_000_000
const MOST_UNPACKED = 5_300_000

/** What has to hold of the paths in the package, and of its size. */
export function contentChecks(packed: () => Packed): Record<string, () => void> {
  return {
    'the package holds no unexpected file'() {
      const allowed = new Set(git('examples'))
      const strays = packed().paths.filter(
        (path) => NEVER.test(path) || !(allowed.has(path) || MAY_BE_THERE.some((form) => form.test(path))),
      )
      expectNone('is in the package, and should not be', strays)
    },

    'every compiled file in the package has its source'() {
      const compiled = packed().paths.filter((path) => /^dist\/(?!dashboard\/|cli\/).*\.js$/.test(path))
      const orphans = compiled.filter((path) => !existsSync(join(ROOT, sourceOf(path))))
      expectNone('is left from an earlier build', orphans)
    },

    'the package holds what its manifest, its modules and its page lead to'() {
      const paths = new Set(packed().paths)
      const wanted = [...namedInManifest(), ...[...paths].flatMap(importsOf), ...namedInPage()]
      expectNone(
        'is needed, and not in the package',
        wanted.filter((path) => !paths.has(path)),
      )
    },

    'the package holds every scenario, page and example, and the licence'() {
      const paths = new Set(packed().paths)
      const wanted = [
        ...['LICENSE', 'README.md', 'CHANGELOG.md'],
        ...git('scenarios', 'examples', 'docs').filter((path) => !NEVER.test(path)),
      ]
      expectNone(
        'is not in the package',
        wanted.filter((path) => !paths.has(path)),
      )
    },

    'nothing runs when the package is installed, and no declaration is there that no door leads to'() {
      const { scripts } = manifest()
      expectNone(
        'runs on installation',
        ['preinstall', 'install', 'postinstall'].filter((name) => name in scripts),
      )
      const reached = new Set(namedInManifest().filter((path) => path.endsWith('.d.ts')))
      for (const path of reached) for (const imported of importsOf(path)) reached.add(imported)
      const declarations = packed().paths.filter((path) => path.startsWith('dist/') && path.endsWith('.d.ts'))
      expectNone(
        'describes what nobody can import',
        declarations.filter((path) => !reached.has(path)),
      )
    },

    'the package is small'() {
      const { size, unpackedSize, paths } = packed()
      process.stdout.write(
        `     ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked, ${paths.length} files\n`,
      )
      if (size > MOST_PACKED) throw new Error(`expected at most ${kilobytes(MOST_PACKED)} packed`)
      if (unpackedSize > MOST_UNPACKED)
        throw new Error(`expected at most ${kilobytes(MOST_UNPACKED)} unpacked`)
    },
  }
}

function manifest() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
}

/** The files that the manifest names: its doors, its commands, its parts for browsers. */
function namedInManifest(): string[] {
  const { exports, bin, browser, sideEffects } = manifest()
  const named = JSON.stringify([exports, bin, browser, sideEffects]).matchAll(/"(?:\.\/)?([\w./-]+\.\w+)"/g)
  return [...new Set([...named].map(([, path = '']) => path))].filter(
    (path) => path.includes('/') || existsSync(join(ROOT, path)),
  )
}

/** The files that a module or a declaration imports, in whatever way, each from its own place. */
function importsOf(path: string): string[] {
  if (!/^dist\/(?!dashboard\/).*\.(?:js|d\.ts)$/.test(path)) return []
  const text = readFileSync(join(ROOT, path), 'utf8')
  const found = text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*['"](\.[^'"\n]+)\.js['"]/g)
  const extension = path.endsWith('.d.ts') ? '.d.ts' : '.js'
  return [...found].map(([, to = '']) => posix.join(dirname(path), `${to}${extension}`))
}

function namedInPage(): string[] {
  const text = readFileSync(join(ROOT, 'dist/dashboard/index.html'), 'utf8')
  return [...text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) => `dist/dashboard/${path}`)
}

function sourceOf(path: string): string {
  return path.replace(/^dist\//, 'src/').replace(/\.js$/, '.ts')
}

/** The files of some folders that belong to the project. */
function git(...folders: string[]): string[] {
  return run(ROOT, 'git', 'ls-files', '--cached', '--others', '--exclude-standard', ...folders)
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)))
}

/** As many as tell what kind of thing it is. */
const MOST_TOLD = 10

function expectNone(what: string, paths: readonly string[]): void {
  if (paths.length === 0) return
  const told = paths.slice(0, MOST_TOLD).map((path) => `${path} ${what}`)
  throw new Error(
    [...told, ...(paths.length > MOST_TOLD ? [`and ${paths.length - MOST_TOLD} more`] : [])].join('\n'),
  )
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(0)} kB`
}
