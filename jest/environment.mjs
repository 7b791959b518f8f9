// Jest's environment for Node, which imports tasksim and MSW as ES modules, once and outside of the test files.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The property with the function that returns a module to a test file. */
const MODULE = Symbol.for('tasksim.jest.module')

/** Leads from the cause of MSW's error to the error of Node. */
const FETCH_FAILED = Symbol.for('tasksim.fetchFailed')

/** Where Node publishes the errors of `node:http`, before clients get them. */
const REQUEST_ERROR = 'http.client.request.error'

/** Modules that test files mostly need. The others are loaded on first use. */
const NEEDED = ['tasksim', 'tasksim/client', 'tasksim/msw', 'msw', 'msw/node']

const require = createRequire(import.meta.url)
const { TestEnvironment } = environmentOfJest()

export default class TasksimEnvironment extends TestEnvironment {
  /** The MSW servers of the test file. */
  #servers = []

  async setup() {
    await super.setup()
    const needed = new Map()
    for (const name of NEEDED) needed.set(name, await import(name).catch((error) => ({ error })))
    this.global[MODULE] = (name) => {
      const module = needed.get(name) ?? require(name)
      if (module.error !== undefined) throw module.error
      return name === 'msw/node' ? { ...module, setupServer: this.#tracked(module.setupServer) } : module
    }
    // MSW replaces the function outside of the test file. A closed connection fails with the error of Node, not of MSW.
    this.global.fetch = (...request) =>
      fetch(...request).catch((error) => {
        throw error?.cause?.[FETCH_FAILED] ?? error
      })
    subscribe(REQUEST_ERROR, failAsNode)
  }

  #tracked(setupServer) {
    return (...handlers) => {
      const server = setupServer(...handlers)
      this.#servers.push(server)
      return server
    }
  }

  async teardown() {
    unsubscribe(REQUEST_ERROR, failAsNode)
    for (const server of this.#servers) server.close()
    delete this.global[MODULE]
    await super.teardown()
  }
}

/** MSW has one error for every failed connection, without the code after which clients of `node:http` retry. */
function failAsNode({ error }) {
  if (error instanceof TypeError && error.message === 'Network error')
    Object.assign(error, { message: 'read ECONNRESET', code: 'ECONNRESET', errno: -104, syscall: 'read' })
}

/** Returns the module of Jest, of which a project need not have installed more than `jest`. */
function environmentOfJest() {
  const name = 'jest-environment-node'
  let from = createRequire(join(process.cwd(), 'package.json'))
  for (const parent of ['jest', '@jest/core', 'jest-config']) {
    try {
      return from(name)
    } catch {
      from = createRequire(from.resolve(parent))
    }
  }
  return from(name)
}
