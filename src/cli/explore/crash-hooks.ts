import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NEXT_PYTHON_PRELOAD, PYTHON_PRELOAD, preloadVariables } from '../exec/preload.js'

/** The variable with the file in which a runtime notes an error that nobody has caught. */
const FILE_VARIABLE = 'TASKSIM_CRASH_FILE'

/** Notes an error that ends the process: one for which the program has no handler of its own. */
const NODE_HOOK = `const { appendFileSync } = require('node:fs')
const { isMainThread } = require('node:worker_threads')
// The error of a worker reaches the thread that has started it.
if (isMainThread)
  process.on('uncaughtExceptionMonitor', (error, origin) => {
    if (process.listenerCount('uncaughtException') > 0) return
    try {
      appendFileSync(process.env.${FILE_VARIABLE}, 'process ' + origin + ': ' + (error && error.message || error) + '\\n')
    } catch {}
  })
`

const PYTHON_HOOK = `import os
import sys
import threading


def note(where, kind, error):
    try:
        with open(os.environ["${FILE_VARIABLE}"], "a", encoding="utf-8") as file:
            file.write("%s %s: %s\\n" % (where, kind.__name__, error))
    except Exception:
        pass


def noting(hook):
    def excepthook(kind, error, trace):
        if not issubclass(kind, KeyboardInterrupt):
            note("process", kind, error)
        hook(kind, error, trace)

    return excepthook


def noting_thread(hook):
    def excepthook(args):
        if not issubclass(args.exc_type, SystemExit):
            note("thread", args.exc_type, args.exc_value)
        hook(args)

    return excepthook


sys.excepthook = noting(sys.excepthook)
threading.excepthook = noting_thread(threading.excepthook)
${NEXT_PYTHON_PRELOAD}`

/** The first errors that nobody has caught, in one line each. */
export interface NotedErrors {
  readonly ofProcesses: string | undefined
  readonly ofThreads: string | undefined
}

/** Lets Node and Python note errors that nobody has caught: their exit status may be that of a reported failure. */
export class CrashHooks {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tasksim-explore-'))
  #runs = 0

  constructor() {
    writeFileSync(join(this.#folder, 'hook.cjs'), NODE_HOOK)
    writeFileSync(join(this.#folder, PYTHON_PRELOAD), PYTHON_HOOK)
  }

  /** Returns the variables for one run, and a function that returns what was noted. */
  next(env: NodeJS.ProcessEnv): {
    readonly variables: Record<string, string>
    readonly noted: () => NotedErrors
  } {
    this.#runs += 1
    const file = join(this.#folder, `run-${this.#runs}.txt`)
    writeFileSync(file, '')
    const files = { node: join(this.#folder, 'hook.cjs'), python: this.#folder }
    return {
      variables: {
        [FILE_VARIABLE]: file,
        ...preloadVariables(env, files),
      },
      noted: () => {
        const text = readFileSync(file, 'utf8')
        rmSync(file)
        return { ofProcesses: firstNote(text, 'process'), ofThreads: firstNote(text, 'thread') }
      },
    }
  }

  /** Deletes the files. */
  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

function firstNote(text: string, where: 'process' | 'thread'): string | undefined {
  return new RegExp(`^${where} (.*)$`, 'm').exec(text)?.[1]
}
