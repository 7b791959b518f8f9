import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Server } from '../support/server.js'

/** The clone under test. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A temporary folder for everything, which this process removes at its exit. */
export const WORKSHOP = mkdtempSync(join(tmpdir(), 'tasksim-package-'))
process.on('exit', () => rmSync(WORKSHOP, { recursive: true, force: true }))

/**
 * The environment of a user's shell. The variables that npm sets for its scripts would lead a nested npm to this
 * clone.
 */
export const ENVIRONMENT: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(?:lifecycle|package|config_local)/.test(name)),
)

const LONGEST_COMMAND = 300_000

/**
 * Runs a command to its end, and returns its output.
 * @throws an error with the output if it fails
 */
export function run(cwd: string, command: string, ...args: string[]): string {
  try {
    return execFileSync(command, args, {
      cwd,
      env: ENVIRONMENT,
      encoding: 'utf8',
      stdio: 'pipe',
      timeout: LONGEST_COMMAND,
    })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
  }
}

/** Returns a package with the version in this clone, as an argument for `npm install`. */
export function versioned(name: string): string {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  return `${name}@${manifest.dependencies[name] ?? manifest.devDependencies[name]}`
}

/** Starts the command of an installed package as a server. */
export function serve(cwd: string, ...args: string[]): Promise<Server> {
  return Server.start(args, { command: ['npx', 'tasksim'], cwd, env: ENVIRONMENT })
}

/** Waits until a server answers at a URL. */
export async function reachable(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answered) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`nothing answers at ${url}`)
}
