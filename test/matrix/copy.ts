import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ROOT, run, WORKSHOP } from '../package/workshop.js'
import { environmentOf, type OtherNode } from './nodes.js'

/** A built copy of the clone, in which another MSW can be installed. */
const COPY = join(WORKSHOP, 'clone')

const LEFT_BEHIND = /^(?:node_modules|\.git)(?:\/|$)/
/** In milliseconds. */
export const LONGEST_RUN = 900_000

/** The peers of packages that accept only older ones, though the newest work, too. */
const PEERS = { '@tanstack/ai-fal': { '@tanstack/ai': '>=0.45.0' } }

/** Copies the clone, and installs its dependencies into the copy. */
export function makeCopy(): void {
  cpSync(ROOT, COPY, { recursive: true, filter: (path) => !LEFT_BEHIND.test(relative(ROOT, path)) })
  run(COPY, 'npm', 'ci', '--ignore-scripts', '--no-fund', '--no-audit')
  const manifest = join(COPY, 'package.json')
  const settings = { ...JSON.parse(readFileSync(manifest, 'utf8')), overrides: PEERS }
  writeFileSync(manifest, JSON.stringify(settings, undefined, 2))
}

/**
 * Installs other packages in the copy.
 * @param packages such as `msw@3`
 * @returns their versions
 */
export function install(packages: readonly string[]): readonly string[] {
  run(COPY, 'npm', 'install', '--no-save', '--ignore-scripts', '--no-fund', '--no-audit', ...packages)
  return packages.map((each) => {
    const name = each.slice(0, each.lastIndexOf('@'))
    const manifest = join(COPY, 'node_modules', name, 'package.json')
    return `${name} ${JSON.parse(readFileSync(manifest, 'utf8')).version}`
  })
}

/** The result of a test run. */
interface Outcome {
  readonly passed: number
  /** The titles of failed tests, or the reason why none could run. */
  readonly failed: readonly string[]
}

/**
 * Runs tests of the copy on another Node: the samples of `npm test`, but on all hosts.
 * @param files all tests if empty
 */
export function runTests(node: OtherNode, files: readonly string[]): Outcome {
  const report = join(WORKSHOP, `report-${performance.now()}.json`)
  const options = ['--mode=hosts', '--reporter=json', `--outputFile=${report}`]
  const vitest = join(COPY, 'node_modules/vitest/vitest.mjs')
  let said = ''
  try {
    execFileSync('node', [vitest, 'run', ...options, ...files], {
      cwd: COPY,
      env: environmentOf(node),
      stdio: 'pipe',
      timeout: LONGEST_RUN,
    })
  } catch (error) {
    said = String((error as { stderr?: Buffer }).stderr ?? error).trim() || String(error)
  }
  if (!existsSync(report)) return { passed: 0, failed: [said] }
  return outcomeOf(JSON.parse(readFileSync(report, 'utf8')), said)
}

interface Report {
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly name: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

function outcomeOf({ numPassedTests, testResults }: Report, said: string): Outcome {
  const failed = testResults.flatMap(({ name, message, assertionResults }) => {
    const titles = assertionResults.filter(({ status }) => status === 'failed')
    const file = relative(COPY, name)
    return message && titles.length === 0
      ? [`${file}: ${message}`]
      : titles.map(({ fullName }) => `${file}: ${fullName}`)
  })
  // A run can also fail outside of a test, for example by an unhandled rejection.
  return { passed: numPassedTests, failed: failed.length === 0 && said !== '' ? [said] : failed }
}
