import { format } from 'node:util'
import { vi } from 'vitest'
import { flush } from '../../src/cli/output.js'
import { run } from '../../src/cli/run.js'
import { MAIN, type Running } from './run.js'

let previous: Promise<unknown> = Promise.resolve()

/**
 * Runs a command that ends by itself in this process, which is far faster than starting a process. Commands run one
 * after the other, because each of them uses the working directory, the environment and the output of this process.
 */
export function runInProcess(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Pick<Running, 'ended' | 'stdout' | 'stderr'> {
  const output: Output = { stdout: '', stderr: '' }
  const ended = previous.then(() => runAs(folder, args, env, output))
  previous = ended.catch(() => {})
  return { ended, stdout: () => output.stdout, stderr: () => output.stderr }
}

type Output = Record<'stdout' | 'stderr', string>

async function runAs(folder: string, args: readonly string[], env: object, output: Output): Promise<number> {
  let status: number | undefined
  // Ignores output after the end, as a process would.
  const print = (name: keyof Output, text: string) => {
    if (status === undefined) output[name] += text
  }
  const writeTo = (name: keyof Output) =>
    vi.spyOn(process[name], 'write').mockImplementation((text, ...rest: unknown[]) => {
      print(name, String(text))
      for (const written of rest) if (typeof written === 'function') written()
      return true
    })
  const log = (...values: unknown[]) => print('stdout', `${format(...values)}\n`)
  const exit = (code: unknown = process.exitCode) => {
    status ??= Number(code ?? 0)
    throw new Error('process.exit')
  }
  const mocks = [
    writeTo('stdout'),
    writeTo('stderr'),
    vi.spyOn(console, 'log').mockImplementation(log),
    vi.spyOn(process, 'exit').mockImplementation(exit),
  ]
  const { argv, env: ownEnv } = process
  const ownFolder = process.cwd()
  process.argv = [process.execPath, MAIN, ...args]
  process.env = { PATH: ownEnv['PATH'], ...env }
  process.chdir(folder)
  process.exitCode = undefined
  try {
    await run()
    flush()
    return status ?? Number(process.exitCode ?? 0)
  } finally {
    process.exitCode = undefined
    process.chdir(ownFolder)
    Object.assign(process, { argv, env: ownEnv })
    for (const mock of mocks) mock.mockRestore()
  }
}
