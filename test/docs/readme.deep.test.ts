import { execFile } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { folderWith, start } from '../cli/run.js'
import { ROOT, snippetsOf } from './pages.js'

const run = promisify(execFile)
const readme = readFileSync(`${ROOT}README.md`, 'utf8')
const blocks = snippetsOf('README.md', readme)
const shown = blocks.find(({ language, text }) => language === 'ts' && text.includes('tasksim/vitest'))
const report = blocks.find(({ marker }) => marker?.name === 'report')

/** Resolves the package to its source, in the same way as an installation. */
const CONFIG = `export default { resolve: { alias: [
  { find: /^tasksim\\/vitest$/, replacement: ${JSON.stringify(`${ROOT}src/vitest/index.ts`)} },
  { find: /^tasksim$/, replacement: ${JSON.stringify(`${ROOT}src/index.ts`)} },
] } }`

/** Strict TypeScript for Node, without browser types. */
const TYPES = {
  extends: `${ROOT}tsconfig.json`,
  compilerOptions: {
    paths: { tasksim: [`${ROOT}src/index.ts`], 'tasksim/vitest': [`${ROOT}src/vitest/index.ts`] },
  },
  include: ['first.test.ts'],
  exclude: [],
}

test('the Vitest example in the README has no type error', async () => {
  const folder = folderWith({
    'package.json': '{ "type": "module" }',
    'tsconfig.json': JSON.stringify(TYPES),
    'first.test.ts': shown?.text ?? '',
  })
  symlinkSync(`${ROOT}node_modules`, join(folder, 'node_modules'))
  const tsc = `${ROOT}node_modules/@typescript/native/bin/tsc`
  const checked = run(process.execPath, [tsc, '--project', folder]).catch(({ stdout }) => ({ stdout }))
  expect((await checked).stdout).toBe('')
})

test('the Vitest example in the README runs when pasted into an empty folder', async () => {
  const folder = folderWith({
    'package.json': '{}',
    'vitest.config.mjs': CONFIG,
    'first.test.ts': shown?.text ?? '',
  })
  symlinkSync(`${ROOT}node_modules`, join(folder, 'node_modules'))
  const vitest = `${ROOT}node_modules/vitest/vitest.mjs`
  const { stdout } = await run(process.execPath, [vitest, 'run', '--root', folder], {
    env: { PATH: process.env['PATH'] },
  })
  expect(stdout).toMatch(/Tests .*2 passed/)
})

test('tasksim explore prints the beginning of every line of the report in the README', async () => {
  const [, words = ''] = /`npx tasksim (explore [^`]*)`/.exec(readme) ?? []
  const deviations = ['504', 'lost', 'unanswered'].flatMap((word) => ['--deviations', word])
  const running = start(
    ROOT,
    words.replace(' -- ', ` --places tasks.create ${deviations.join(' ')} -- `).split(' '),
  )
  await running.ended
  const printed = running.stdout().split('\n')
  const lines = report?.text.split('\n') ?? []
  expect(lines.length).toBeGreaterThan(3)
  expect(lines.filter((line) => !printed.some((each) => each.startsWith(line)))).toEqual([])
})
