import { AsyncLocalStorage } from 'node:async_hooks'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { RequestHandler } from 'msw'
import { UsageError } from '../engine/errors.js'
import { loadMsw } from '../hosts/express/load-msw.js'
import { errorText } from './errors.js'
import { requireRegularFile } from './files/read-regular-file.js'
import { flush } from './output.js'

/**
 * A module of MSW handlers from the user. If the module causes an error outside a request, tasksim reports it and
 * continues. Any other uncaught error ends the process.
 */
export class HandlersModule {
  readonly #path: string
  readonly #url: string
  /** The module and everything that it starts, such as timers, promises and other packages, runs in this context. */
  readonly #context = new AsyncLocalStorage<HandlersModule>()
  #report = (error: unknown): void => void process.stderr.write(`tasksim: ${errorText(error)}\n`)

  /** @param path the path on the command line */
  constructor(path: string) {
    this.#path = path
    this.#url = pathToFileURL(resolve(path)).href
  }

  /**
   * Imports the handlers.
   * @throws UsageError if the module or a package that it needs is missing, or if it exports no handlers
   */
  async load(): Promise<RequestHandler[]> {
    await loadMsw('The option --handlers')
    process.on('uncaughtException', (error: unknown) => this.#onUncaught(error))
    const module = await this.#runInContext(() => this.#import()).catch((error: Error) => {
      throw new UsageError(`Cannot load the handlers ${this.#path}: ${error?.message ?? error}`)
    })
    const handlers: unknown = module.default ?? module.handlers
    if (Array.isArray(handlers) && handlers.every((handler) => typeof handler?.run === 'function')) {
      for (const handler of handlers) this.#wrap(handler)
      return handlers
    }
    throw new UsageError(
      `${this.#path} exports no handlers. Its default export must be an array of MSW handlers.`,
    )
  }

  /** Reports later errors to a function instead of to stderr. */
  reportTo(report: (error: unknown) => void): void {
    this.#report = report
  }

  /** Rejects a device or a pipe, because its import may never end. */
  async #import(): Promise<{ readonly default?: unknown; readonly handlers?: unknown }> {
    if (existsSync(this.#path)) requireRegularFile(this.#path)
    return import(this.#url)
  }

  #wrap(handler: RequestHandler): void {
    const run = handler.run.bind(handler)
    handler.run = (args) =>
      this.#runInContext(() => run(args)).catch((error: unknown) => {
        // A handler may throw its response.
        throw error instanceof Response ? error : this.#failure('in a request', error)
      })
  }

  async #runInContext<Value>(work: () => Promise<Value>): Promise<Value> {
    return this.#context.run(this, work)
  }

  #onUncaught(error: unknown): void {
    if (this.#isFromModule(error)) {
      this.#report(this.#failure('outside a request', error))
      return
    }
    flush()
    process.stderr.write(`tasksim: Unexpected error, shutting down: ${errorText(error)}\n`)
    process.exit(1)
  }

  #isFromModule(error: unknown): boolean {
    if (this.#context.getStore() !== undefined) return true
    // Node 20 and 22 lose the context of queueMicrotask. Only the module throws values that are not errors.
    return !(error instanceof Error) || error.stack?.includes(this.#url) === true
  }

  #failure(when: string, cause: unknown): Error {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const error = new Error(`The handlers module ${this.#path} failed ${when}: ${reason}`, { cause })
    if (cause instanceof Error && cause.stack) error.stack = `${error.message}\n${framesOf(cause.stack)}`
    else error.stack = error.message
    return error
  }
}

function framesOf(stack: string): string {
  return stack.slice(Math.max(0, stack.search(/^ {4}at /m)))
}
