import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** The variable with the file in which a runtime notes an error that nobody has caught. */
const FILE_VARIABLE = 'TASKSIM_CRASH_FILE'

/** Notes an error that ends the process: one for which the program has no handler of its own. */
const NODE_HOOK = `const { appendFileSync } = require('node:fs')
process.on('uncaughtExceptionMonitor', (error, origin) => {
  if (process.listenerCount('uncaughtException') > 0) return
  try {
    appendFileSync(process.env.${FILE_VARIABLE}, origin + ': ' + (error && error.message || error) + '\\n')
  } catch {}
})
`

/** Python imports the module of this name at its start. The user may have one, too. */
const PYTHON_HOOK = `import importlib.machinery
import importlib.util
import os
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))


def note(kind, error):
    try:
        with open(os.environ["${FILE_VARIABLE}"], "a") as file:
            file.write("%s: %s\\n" % (kind.__name__, error))
    except Exception:
        pass


def noting(hook):
    def excepthook(kind, error, trace):
        if not issubclass(kind, KeyboardInterrupt):
            note(kind, error)
        hook(kind, error, trace)

    return excepthook


def noting_thread(hook):
    def excepthook(args):
        if not issubclass(args.exc_type, SystemExit):
            note(args.exc_type, args.exc_value)
        hook(args)

    return excepthook


sys.excepthook = noting(sys.excepthook)
threading.excepthook = noting_thread(threading.excepthook)
spec = importlib.machinery.PathFinder.find_spec(
    "sitecustomize", [path for path in sys.path if os.path.abspath(path or ".") != HERE]
)
if spec is not None and spec.loader is not None:
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
`

/** Lets Node and Python note errors that nobody has caught: their exit status may be that of a reported failure. */
export class CrashHooks {
  readonly #folder = mkdtempSync(join(tmpdir(), 'tasksim-explore-'))
  #runs = 0

  constructor() {
    writeFileSync(join(this.#folder, 'hook.cjs'), NODE_HOOK)
    writeFileSync(join(this.#folder, 'sitecustomize.py'), PYTHON_HOOK)
  }

  /** The variables for one run, and a function that returns what was noted. */
  next(env: NodeJS.ProcessEnv): { readonly variables: Record<string, string>; readonly noted: () => string } {
    this.#runs += 1
    const file = join(this.#folder, `run-${this.#runs}.txt`)
    writeFileSync(file, '')
    const hook = `--require ${JSON.stringify(join(this.#folder, 'hook.cjs'))}`
    const { NODE_OPTIONS: nodeOptions, PYTHONPATH: pythonPath } = env
    return {
      variables: {
        [FILE_VARIABLE]: file,
        NODE_OPTIONS: nodeOptions ? `${nodeOptions} ${hook}` : hook,
        PYTHONPATH: pythonPath ? `${this.#folder}${delimiter}${pythonPath}` : this.#folder,
      },
      noted: () => {
        const text = readFileSync(file, 'utf8').trim()
        rmSync(file)
        return text
      },
    }
  }

  /** Deletes the files. */
  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** How the output of an uncaught error ends or begins, in runtimes without a hook. */
const TRACES: readonly RegExp[] = [
  /^Node\.js v\d+\.\d+\.\d+\s*$/m,
  /^panic: [\s\S]*^goroutine \d+/m,
  /^Exception in thread "/m,
  /^\S+\.rb:\d+:in .*\(\w+(?:::\w+)*\)$/m,
  /^PHP Fatal error: {2}Uncaught/m,
]

/** The first line of the trace of an error that nobody has caught; undefined if there is none. */
export function traceIn(stderr: string, patterns: readonly RegExp[] = []): string | undefined {
  const pattern = [...patterns, ...TRACES].find((each) => each.test(stderr))
  return pattern?.exec(stderr)?.[0].split('\n')[0]
}
