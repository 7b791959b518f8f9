import { onMissingPackage } from '../engine/errors.js'

/*
 * The same as `index.ts`, for Node's `import`: an awaited import can replace the error of a missing package. Bundlers and
 * `require` get `index.ts`, because not all of them support a top-level `await`.
 */
export const { instrument } = await import('./instrument.js').catch(
  onMissingPackage('tasksim/opentelemetry', '@opentelemetry/api'),
)
