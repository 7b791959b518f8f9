import { delimiter } from 'node:path'

/** The variables with which Node and Python load our code at their start, in addition to that of the user. */
export function preloadVariables(
  { NODE_OPTIONS: nodeOptions, PYTHONPATH: pythonPath }: NodeJS.ProcessEnv,
  { node, python }: { readonly node: string; readonly python: string },
): Record<'NODE_OPTIONS' | 'PYTHONPATH', string> {
  const required = `--require ${JSON.stringify(node)}`
  return {
    NODE_OPTIONS: nodeOptions ? `${nodeOptions} ${required}` : required,
    PYTHONPATH: pythonPath ? `${python}${delimiter}${pythonPath}` : python,
  }
}

/** The name of the module that Python imports at its start. */
export const PYTHON_PRELOAD = 'sitecustomize.py'

/** The end of a `sitecustomize.py`: runs the next one on the path, because Python imports only the first. */
export const NEXT_PYTHON_PRELOAD = `

def run_next():
    import importlib.machinery
    import importlib.util
    import os
    import sys

    here = os.path.dirname(os.path.abspath(__file__))
    folders = [os.path.abspath(folder or ".") for folder in sys.path]
    after = sys.path[folders.index(here) + 1 :] if here in folders else []
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", after)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


run_next()
`
