/** What all benchmarks send: a client that creates a task and then polls it. */

export const MODEL = 'acme/image-1'
export const KEY = 'sk_live_local'
export const POLLS_PER_CREATE = 4

/** The parameters of the task with this number. Clients do not send the same prompt again and again. */
export function inputOf(number: number): { prompt: string } {
  return { prompt: `a lighthouse at dawn, seen from the sea, ${String(number).padStart(8, '0')}` }
}

/** The body of a request that creates this task; all have the same length. */
export function createBody(number: number): string {
  return JSON.stringify({ model: MODEL, input: inputOf(number) })
}
