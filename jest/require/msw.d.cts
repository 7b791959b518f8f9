// In CommonJS, MSW has types of its own, which differ from those in `dist`.
import type { HttpHandler } from 'msw'
import type { HandlersOptions, handlers as inModules } from '../../dist/hosts/msw/index.js'

export type { HandlersOptions }
/** See `handlers` in `dist/hosts/msw/index.d.ts`. */
export declare function handlers(...values: Parameters<typeof inModules>): HttpHandler[]
