import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, posix } from 'node:path'
import type { Check } from '../support/check.js'
import type { Packed } from './pack.js'
import { ROOT, run } from './workshop.js'

/** All files that the package may contain. */
const MAY_BE_THERE = [
  /^(?:package\.json|README\.md|CHANGELOG\.md|LICENSE|llms\.txt)$/,
  /^dist\/index\.js(?:\.map)?$/,
  /^dist\/index\.d\.ts$/,
  /^dist\/(?:client|control|dialects|engine|exchange|explore|hosts|http|inspect|kinds|ledger|library|media|openapi|opentelemetry|record|scenario|shared|simulator|vitest)\/(?:[\w-]+\/)*[\w.-]+(?<!\.d)\.js(?:\.map)?$/,
  /^dist\/(?:client|control|dialects|engine|exchange|explore|hosts|http|inspect|kinds|ledger|library|openapi|opentelemetry|record|scenario|simulator|vitest)\/(?:[\w-]+\/)*[\w-]+(?:\.generated)?\.d\.ts$/,
  /^dist\/cli\/(?:[\w.-]+(?<!\.d)\.js|licenses\.md)$/,
  /^dist\/media\/video\/mp4\.licenses\.md$/,
  /^dist\/dashboard\/(?:index\.html|licenses\.md|assets\/[\w-]+\.(?:js|js\.br|css|svg))$/,
  /^dist\/(?:dialect|scenario)\.schema\.json$/,
  /^docs\/(?:reference\/)?[\w-]+\.md$/,
  // Every copy of the README shows this picture.
  /^docs\/dashboard\.png$/,
  /^docs\/licenses\/[\w-]+\.txt$/,
  /^jest\/(?:[\w-]+\.(?:cjs|d\.cts|mjs)|(?:modules|require)\/[\w-]+\.(?:cjs|d\.cts))$/,
  /^scenarios\/[\w-]+\.yaml$/,
  /^skills\/tasksim\/SKILL\.md$/,
]

/** Files that no folder of the package contains. Examples may contain tests and TypeScript. */
const NEVER = /(?:\.tgz|\.log|\.tsbuildinfo|-lock\.json|(?:^|\/)\.[^/]*|\/node_modules\/.*)$/

/** The limit includes the muxer, the MCP server and the editor of the page, which are packages of 11, 14 and 4 MB. */
const MOST_PACKED = 2_800_000
const MOST_UNPACKED = 9_000_000

/** Checks the paths in the package and its size. */
export function contentChecks(packed: () => Packed): Record<string, Check['run']> {
  return {
    'the package holds no unexpected file'() {
      const allowed = new Set(git('examples'))
      const leftovers = packed().paths.filter(
        (path) => NEVER.test(path) || !(allowed.has(path) || MAY_BE_THERE.some((form) => form.test(path))),
      )
      expectNone('is in the package, and should not be', leftovers)
    },

    'every compiled file in the package has its source'() {
      // The helper of the bundler has no source.
      const compiled = packed().paths.filter((path) =>
        /^dist\/(?!dashboard\/|cli\/|shared\/rolldown-runtime\.).*\.js$/.test(path),
      )
      const orphans = compiled.filter((path) => !sourcesOf(path).every((source) => existsSync(source)))
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

    'every link of a page in the package leads to a file in the package'() {
      const { paths } = packed()
      const isThere = (to: string) => paths.some((path) => path === to || path.startsWith(`${to}/`))
      const links = paths.filter((path) => /\.(?:md|txt)$/.test(path)).flatMap(linksOf)
      expectNone(
        'is linked, and not in the package',
        links.filter((path) => !isThere(path)),
      )
    },

    'the package holds every scenario, page, example and skill, and the licence'() {
      const paths = new Set(packed().paths)
      const wanted = [
        ...['LICENSE', 'README.md', 'CHANGELOG.md', 'llms.txt'],
        ...git('scenarios', 'examples', 'docs', 'skills').filter((path) => !NEVER.test(path)),
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
        // npm warns about `prepare`, although it does not run it for a tarball.
        ['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => name in scripts),
      )
      const reached = new Set(namedInManifest().filter((path) => path.endsWith('.d.ts')))
      for (const path of reached) for (const imported of importsOf(path)) reached.add(imported)
      const declarations = packed().paths.filter((path) => path.startsWith('dist/') && path.endsWith('.d.ts'))
      expectNone(
        'describes what nobody can import',
        declarations.filter((path) => !reached.has(path)),
      )
    },

    'every source map says something about each of its sources, or Vite warns about those that are not packed'() {
      const maps = packed().paths.filter((path) => path.endsWith('.js.map'))
      expectNone(
        'lacks the contents of a source',
        maps.filter((path) => {
          const { sources, sourcesContent } = JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
          return sourcesContent?.length !== sources.length
        }),
      )
    },

    'the command line loads no package and no WebSocket client when it starts'() {
      for (const path of ['dist/cli/start.js', 'dist/cli/packages.js']) {
        const text = readFileSync(join(ROOT, path), 'utf8')
        const imported = [...text.matchAll(/(?:^|;)import ?[^;"\n]*from ?"([^."][^"]*)"/gm)]
        expectNone(
          `is imported by ${path}`,
          imported
            .map(([, name = '']) => name)
            .filter((name) => !isBuiltin(name) || /^(?:node:)?https?$/.test(name)),
        )
      }
    },

    'the package is small'(figure) {
      const { size, unpackedSize, paths } = packed()
      figure(`${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked, ${paths.length} files`)
      if (size > MOST_PACKED) throw new Error(`expected at most ${kilobytes(MOST_PACKED)} packed`)
      if (unpackedSize > MOST_UNPACKED)
        throw new Error(`expected at most ${kilobytes(MOST_UNPACKED)} unpacked`)
    },
  }
}

function manifest() {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
}

/** Returns the files in the manifest: entry points, commands, browser replacements. */
function namedInManifest(): string[] {
  const { exports, bin, browser, sideEffects } = manifest()
  const named = JSON.stringify([exports, bin, browser, sideEffects]).matchAll(/"(?:\.\/)?([\w./-]+\.\w+)"/g)
  return [...new Set([...named].map(([, path = '']) => path))].filter(
    (path) => path.includes('/') || existsSync(join(ROOT, path)),
  )
}

/** Returns the files that a module or a declaration imports, resolved from its folder. */
function importsOf(path: string): string[] {
  if (!/^dist\/(?!dashboard\/).*\.(?:js|d\.ts)$/.test(path)) return []
  const text = readFileSync(join(ROOT, path), 'utf8')
  const found = text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*['"](\.[^'"\n]+)\.js['"]/g)
  const extension = path.endsWith('.d.ts') ? '.d.ts' : '.js'
  return [...found].map(([, to = '']) => posix.join(dirname(path), `${to}${extension}`))
}

/** Returns the files to which a page links, without those on the web. */
function linksOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8')
  const targets = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target)
  return targets
    .filter((target) => !/^(?:https?|mailto):/.test(target))
    .map((target) => posix.join(dirname(page), target).replace(/\/$/, ''))
}

function namedInPage(): string[] {
  const text = readFileSync(join(ROOT, 'dist/dashboard/index.html'), 'utf8')
  return [...text.matchAll(/(?:src|href)="\.\/([^"]+)"/g)].map(([, path]) => `dist/dashboard/${path}`)
}

/** Returns the paths of the modules that are bundled into a file. */
function sourcesOf(path: string): string[] {
  const map = join(ROOT, `${path}.map`)
  if (!existsSync(map)) return [join(ROOT, path.replace(/^dist\//, 'src/').replace(/\.js$/, '.ts'))]
  const { sources } = JSON.parse(readFileSync(map, 'utf8'))
  return sources.map((source: string) => join(dirname(map), source))
}

/** Returns the tracked files of some folders. */
function git(...folders: string[]): string[] {
  return run(ROOT, 'git', 'ls-files', '--cached', '--others', '--exclude-standard', ...folders)
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)))
}

/** The number of paths in an error, enough to recognize their kind. */
const MAX_LISTED = 10

function expectNone(what: string, paths: readonly string[]): void {
  if (paths.length === 0) return
  const listed = paths.slice(0, MAX_LISTED).map((path) => `${path} ${what}`)
  throw new Error(
    [...listed, ...(paths.length > MAX_LISTED ? [`and ${paths.length - MAX_LISTED} more`] : [])].join('\n'),
  )
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(0)} kB`
}
