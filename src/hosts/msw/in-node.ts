import { whereMissing } from '../../engine/errors.js'

/*
 * The same as `index.ts`, for Node's `import`: Node tells only an import that is awaited why it failed. Bundlers and
 * `require` get `index.ts`, since not all of them know a top-level `await`.
 */
export const { handlers } = await import('./handlers.js').catch(whereMissing('tasksim/msw', 'msw'))
