import { type BodyText, bodyText, isLonger } from './body-text.js'
import workerUrl from './body-worker.ts?worker&url'

/** Longer bodies are formatted in a worker, in characters. */
const LONGEST_HERE = 1_000_000

/** The text of a body; a promise if the body is so long that a worker formats it. */
export function formatBody(body: unknown): BodyText | Promise<BodyText> {
  return isLonger(body, LONGEST_HERE) ? inWorker(body) : bodyText(body)
}

/** The part of the browser that the policy of the page requires for the code of workers; not every browser has it. */
interface TrustedTypes {
  createPolicy(name: string, rules: object): { createScriptURL(url: string): string }
}

const { trustedTypes }: { readonly trustedTypes?: TrustedTypes } = Object(globalThis)
const policy = trustedTypes?.createPolicy('tasksim', { createScriptURL: (url: string) => url })

function trusted(url: string): string {
  return policy?.createScriptURL(url) ?? url
}

function inWorker(body: unknown): Promise<BodyText> {
  const worker = new Worker(trusted(workerUrl), { type: 'module' })
  return new Promise((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<BodyText>) => {
      worker.terminate()
      resolve(data)
    })
    worker.postMessage(body)
  })
}
