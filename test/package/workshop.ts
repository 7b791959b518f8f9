import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The clone under test. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A temporary folder for everything, removed by {@link tidyUp}. */
export const WORKSHOP = mkdtempSync(join(tmpdir(), 'tasksim-package-'))

/**
 * The environment of a user's shell. The variables that npm sets for its scripts would lead a nested npm to this
 * clone.
 */
export const ENVIRONMENT: NodeJS.ProcessEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^npm_(?:lifecycle|package|config_local)/.test(name)),
)

const LONGEST_COMMAND = 300_000
const children: ChildProcess[] = []

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

/** Starts a program in a separate process group, so that it can be stopped with its children. */
export function start(cwd: string, command: string, ...args: string[]): ChildProcess {
  const child = adopt(spawn(command, args, { cwd, env: ENVIRONMENT, detached: true }))
  child.on('error', (error) => process.stdout.write(`${command} cannot run: ${error.message}. Install it.\n`))
  return child
}

/** Makes {@link tidyUp} stop a program that runs in a process group of its own. */
export function adopt(child: ChildProcess): ChildProcess {
  children.push(child)
  return child
}

/** Waits until the output of a program matches a pattern. */
export async function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = ''
  const deadline = AbortSignal.timeout(20_000)
  for (;;) {
    const [chunk] = await once(child.stdout as NodeJS.ReadableStream & NodeJS.EventEmitter, 'data', {
      signal: deadline,
    })
    text += chunk
    const match = pattern.exec(text)
    if (match !== null) return match[0]
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
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

/** Stops the started programs, and removes the folder. */
export function tidyUp(): void {
  for (const { pid, exitCode, signalCode } of children)
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGTERM')
  rmSync(WORKSHOP, { recursive: true, force: true })
}
