import type { SetupServer } from 'msw/node'
import { type Renderer, scenarioFileOf } from '../engine/assets/asset.js'
import { UsageError } from '../engine/errors.js'
import type { Task } from '../engine/tasks/task.js'
import { factsOf } from '../explore/facts.js'
import { beginRun, type Driver, type ObservedRun, type RunSpec } from '../explore/run.js'
import type { Simulator } from '../library/build-simulator.js'
import { createMediaRenderer } from '../media/media-renderer.js'
import { ClientRun, catchUncaught, turns } from './client-run.js'
import { openWorld, type SimTestOptions } from './world.js'

/** What the explored function gets. */
export interface ExploreContext {
  /** The simulator of this run. It answers all requests of the process to the API. */
  readonly sim: Simulator
  /** The MSW server of the simulator. Add handlers with `server.use(...)`. */
  readonly server: SetupServer
}

/** Runs a function of this process, each time with a new simulator on a manual clock. */
export class InProcessDriver implements Driver {
  readonly #options: SimTestOptions
  readonly #client: (context: ExploreContext) => unknown

  constructor(options: SimTestOptions, client: (context: ExploreContext) => unknown) {
    const renderer = rememberingRenderer(options.renderer ?? createMediaRenderer())
    this.#options = { ...options, renderer }
    this.#client = client
  }

  async run(spec: RunSpec): Promise<ObservedRun> {
    const begin = performance.now()
    const world = await openWorld(this.#options, (sim) => new ClientRun(sim, spec.patience))
    const { sim, server, watcher, timers } = world
    if (timers === undefined) {
      world.release()
      throw new UsageError('An exploration runs timers on its clock. Remove `vi.useFakeTimers()`.')
    }
    const { uncaught, restore } = catchUncaught()
    try {
      const exploration = await beginRun(sim, spec)
      const end = await watcher.run(() => this.#client({ sim, server }), uncaught)
      timers.cancel()
      const facts = await factsOf(sim, exploration)
      // Late webhooks may have made a receiver fail.
      const crash = await Promise.race([uncaught, turns(2)])
      return { end: crash ?? end, facts, output: [], took: performance.now() - begin }
    } finally {
      world.release()
      sim.close()
      restore()
    }
  }
}

/** So many files are remembered; the tasks of a test have fewer. */
const MOST_FILES = 32

/** Renders each file once for all simulators that use it, because the runs of an exploration have the same files. */
function rememberingRenderer(renderer: Renderer): Renderer {
  const files = new Map<string, Promise<Uint8Array<ArrayBuffer>>>()
  return {
    render(task, file) {
      const key = keyOf(task, file)
      const known = files.get(key)
      if (known !== undefined) return known
      const rendered = renderer.render(task, file)
      const [oldest] = files.keys()
      if (files.size >= MOST_FILES && oldest !== undefined) files.delete(oldest)
      files.set(key, rendered)
      return rendered
    },
  }
}

/** What the content of a file depends on. */
function keyOf(task: Task, file: number): string {
  const { id, model, input, media } = task
  return JSON.stringify([id, file, model, input, media, scenarioFileOf(task, file)])
}
