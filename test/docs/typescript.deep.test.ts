import { resolve } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { snippets as allSnippets, ROOT, type Snippet } from './pages.js'

const FOLDER = resolve(ROOT, 'test/docs/snippets')
const AMBIENT = [
  'test/docs/placeholders.d.ts',
  'test/docs/playwright-test.d.ts',
  'src/ledger/sqlite/node-sqlite.d.ts',
].map((path) => resolve(ROOT, path))

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  allowJs: true,
  checkJs: true,
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  types: ['node'],
  paths: {
    tasksim: [resolve(ROOT, 'src/index.ts')],
    'tasksim/client': [resolve(ROOT, 'src/client/index.ts')],
    'tasksim/*': [resolve(ROOT, 'src/hosts/*/index.ts'), resolve(ROOT, 'src/*/index.ts')],
  },
  // A snippet of an example is in the folder of that example.
  rootDirs: [FOLDER, resolve(ROOT, 'examples/vitest-msw')],
}

/** Returns the compiler errors in snippets, which exist only as virtual files. */
function errorsIn(snippets: readonly Snippet[]): string[] {
  const files = new Map(snippets.map((snippet) => [resolve(FOLDER, fileOf(snippet)), snippet] as const))
  const host = ts.createCompilerHost(OPTIONS)
  const { fileExists, readFile, getSourceFile, directoryExists } = host
  host.fileExists = (name) => files.has(name) || fileExists(name)
  host.readFile = (name) => files.get(name)?.text ?? readFile(name)
  host.directoryExists = (name) => name === FOLDER || (directoryExists?.(name) ?? true)
  host.getSourceFile = (name, languageOrOptions, ...rest) => {
    const text = files.get(name)?.text
    return text === undefined
      ? getSourceFile(name, languageOrOptions, ...rest)
      : ts.createSourceFile(name, text, languageOrOptions)
  }
  const program = ts.createProgram([...files.keys(), ...AMBIENT], OPTIONS, host)
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const message = ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')
    const { file, start = 0 } = diagnostic
    if (file === undefined) return message
    const place = files.get(file.fileName)?.place ?? file.fileName
    return `${place} +${file.getLineAndCharacterOfPosition(start).line + 1}: ${message}`
  })
}

function fileOf({ place, language }: Snippet): string {
  return `${place.replaceAll(/\W+/g, '-')}.${language}`
}

const WRONG = "import { createSimulator } from 'tasksim'\ncreateSimulator({ clock: 'stopped' })\n"

test('every block of TypeScript and JavaScript type-checks, and a block with an error is detected', () => {
  // A file of an example may import another one, and is checked there.
  const snippets = allSnippets('ts', 'js').filter(({ text }) => !text.includes("from './"))
  expect(snippets.length).toBeGreaterThan(5)
  const wrong = { place: 'page:1', language: 'ts', text: WRONG, marker: undefined }
  expect(errorsIn([...snippets, wrong])).toEqual([expect.stringMatching(/^page:1 \+2: .*"stopped"/)])
})
