/** The names that snippets in the docs assume: a test runner, a simulator, an app of the reader. */
import type { Express } from 'express'
import type { HttpResponse as HttpResponseOf, http as httpOf } from 'msw'
import type { setupWorker as setupWorkerOf } from 'msw/browser'
import type { setupServer as setupServerOf } from 'msw/node'
import type { Page } from 'playwright-core'
import type * as tasksim from 'tasksim'
import type { Control } from 'tasksim/client'
import type * as hosts from 'tasksim/express'
import type * as mocks from 'tasksim/msw'
import type { expect as expectOf, test as testOf } from 'vitest'

declare global {
  const sim: tasksim.Simulator
  const control: Control
  const createSimulator: typeof tasksim.createSimulator
  const defineScenario: typeof tasksim.defineScenario
  const parseScenario: typeof tasksim.parseScenario
  const parseDialect: typeof tasksim.parseDialect
  const createApp: typeof hosts.createApp
  /** Starts the app of the reader with the address of the API. */
  const startApp: (baseUrl: string) => Promise<void>
  const listen: typeof hosts.listen
  const handlers: typeof mocks.handlers
  const express: () => Express
  const http: typeof httpOf
  const HttpResponse: typeof HttpResponseOf
  const setupServer: typeof setupServerOf
  const setupWorker: typeof setupWorkerOf
  const test: typeof testOf
  const expect: typeof expectOf
  const readFile: (path: string, encoding: 'utf8') => Promise<string>
  const rawBody: string
  const secret: string
  const taskId: string
  const page: Page
}
