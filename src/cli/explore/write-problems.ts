import { mkdirSync } from 'node:fs'
import { basename, join, relative, sep } from 'node:path'
import { stringify } from 'yaml'
import type { ExplorationReport, Problem } from '../../explore/report.js'
import { isFilePath } from '../files/find-scenario.js'
import { isRecordingFile } from '../files/read-recording-file.js'
import { NO_FILE } from './options.js'
import { execArguments, quoted } from './own-arguments.js'
import { write } from './write-exploration.js'

/** How the exploration was started. */
export interface ExploredCommand {
  readonly command: readonly string[]
  /** The arguments of tasksim that decide how a run goes. */
  readonly own: readonly string[]
  /** The name or the path of the explored scenario. */
  readonly scenario: string
  /** The seed that the command line gives. */
  readonly seed: string | undefined
  readonly speed: number
  /** The arguments of tasksim that repeat a run alone. */
  argumentsOf(id: string, ...more: readonly string[]): readonly string[]
}

/**
 * Writes each problem as a scenario that lets its failure happen, if a scenario can describe it, and as a Vitest file
 * that fails until the problem is fixed.
 * @returns the paths of the files
 */
export function writeProblems(
  folder: string,
  report: ExplorationReport,
  explored: ExploredCommand,
): readonly string[] {
  mkdirSync(folder, { recursive: true })
  return report.problems.flatMap((problem) => {
    const { run } = problem.reproduction
    const words = [problem.result, ...problem.findings, run].join('-')
    const name = join(folder, words.replace(/[^A-Za-z0-9_]+/g, '-'))
    const isFirst = run === problem.runs[0]
    const what = isFirst ? problem.what : (report.runs.find(({ id }) => id === run)?.what ?? problem.what)
    const written = { ...problem, what }
    const scenario = scenarioOf(written, folder, `${name}.yaml`, explored)
    // The test fails also while the problem is accepted.
    const repeat = explored.argumentsOf(run, '--accepted', NO_FILE)
    const files = [
      ...(scenario.text === undefined ? [] : [{ path: `${name}.yaml`, text: scenario.text }]),
      { path: `${name}.test.ts`, text: testOf(written, scenario.note, repeat) },
    ]
    for (const { path, text } of files) write(path, text)
    return files.map(({ path }) => path)
  })
}

/** The text of the scenario, and what the test says about it. */
function scenarioOf(
  { result, what, reproduction }: Problem,
  folder: string,
  path: string,
  { command, own, scenario: base, seed, speed }: ExploredCommand,
): { readonly text?: string; readonly note: string } {
  if ('reason' in reproduction) return { note: `There is no scenario file. ${reproduction.reason}` }
  const isPath = isFilePath(base)
  if (isPath && isRecordingFile(base))
    return { note: 'There is no scenario file. A scenario cannot extend a recording.' }
  const from = isPath ? `./${relative(folder, base).split(sep).join('/')}` : base
  const words = ['tasksim', ...execArguments(own, { scenario: base, file: path, speed }), '--', ...command]
  const head = [`${result}: ${what}`, `  ${words.map(quoted).join(' ')}`]
    .map((line) => `# ${line}\n`)
    .join('')
  const content = { extends: from, ...(seed !== undefined && { seed }), ...reproduction.scenario }
  return {
    text: head + stringify(content, { aliasDuplicateObjects: false, lineWidth: 110 }),
    note: `${basename(path)} lets the same failure happen in \`tasksim exec\` and \`simTest\`.`,
  }
}

function testOf({ what, why, remedy, reproduction }: Problem, note: string, args: readonly string[]): string {
  const comment = [what, why, remedy, note].map((line) => ` * ${line.replaceAll('*/', '* /')}`).join('\n')
  return `import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/**
${comment}
 */
test(${JSON.stringify(`the client handles ${reproduction.run}`)}, { timeout: 600_000 }, () => {
  const args = ${JSON.stringify(['tasksim', ...args])}
  const { status, stdout, stderr } = spawnSync('npx', ['--no', ...args], { encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
})
`
}
