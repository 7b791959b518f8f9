/** The requests of all benchmarks: a client that creates a task and then polls it. */

export const MODEL = 'acme/image-1'
export const KEY = 'sk_live_local'
export const POLLS_PER_CREATE = 4

/** Returns the input of the task with this number. Each task has a different prompt. */
export function inputOf(number: number): { prompt: string } {
  // One string, as in a parsed body: a template would give a chain of strings, which each task would keep.
  return { prompt: ['a lighthouse at dawn, seen from the sea,', String(number).padStart(8, '0')].join(' ') }
}

/** Returns the body of a request that creates this task. All bodies have the same length. */
export function createBody(number: number): string {
  return JSON.stringify({ model: MODEL, input: inputOf(number) })
}
