import type { ExploreContext, ExploreOptions } from '../../../src/vitest/index.js'
import { FalApp } from './fal-app.js'
import { generate } from './flow.js'
import { Http, type Mistakes } from './http.js'
import { emit, iterate } from './idioms.js'
import {
  assemblyai,
  fal,
  KEYS,
  luma,
  openaiVideo,
  replicate,
  runway,
  tasks,
  uniqueTasks,
  xai,
} from './services.js'
import { batch, byList, jobStore, sdk, stream } from './styles.js'
import { WebhookApp } from './webhook-app.js'

/** A client of the corpus, which is correct unless it makes mistakes. */
export interface CorpusClient {
  readonly name: string
  readonly options: ExploreOptions
  run(context: ExploreContext, mistakes: Mistakes): Promise<void>
}

const HOOK = 'https://app.example.com/hooks'

/** A client that sends the requests of a dialect. */
function client(name: string, dialect: string, run: (http: Http) => Promise<void>): CorpusClient {
  return {
    name,
    options: dialect === 'tasks' ? {} : { dialect },
    run: (_, mistakes) => run(new Http(mistakes, KEYS[dialect] ?? {})),
  }
}

/** An app with a route for webhooks. */
function app(
  name: string,
  dialect: string,
  start: (http: Http) => { handle(request: Request): Promise<Response>; run(): Promise<void> },
): CorpusClient {
  let current: ReturnType<typeof start> | undefined
  const handle = (request: Request) => current?.handle(request) ?? new Response(null, { status: 503 })
  return {
    name,
    options: { ...(dialect !== 'tasks' && { dialect }), receivers: [{ url: HOOK, handle }] },
    run: async (_, mistakes) => {
      current = start(new Http(mistakes, KEYS[dialect] ?? {}))
      await current.run()
    },
  }
}

/** @param silence after how many milliseconds without a webhook it asks the service */
function webhookApp(name: string, silence: number): CorpusClient {
  return app(name, 'tasks', (http) => {
    const { handle, generate } = new WebhookApp(http, silence)
    return { handle, run: () => generate(tasks('waves', { webhook_url: HOOK })) }
  })
}

function falApp(name: string): CorpusClient {
  return app(name, 'fal', (http) => {
    const app = new FalApp(http, HOOK)
    return { handle: app.handle, run: () => app.generate('waves') }
  })
}

const OPENAI_KEY = KEYS['openai'] ?? {}

/** The clients of the corpus, all of them correct. */
export const CLIENTS: readonly CorpusClient[] = [
  client('poll', 'tasks', (http) => generate(tasks('waves'), http)),
  client('poll a video, and cancel at the deadline', 'tasks', (http) =>
    generate(tasks('waves', {}, 'acme/video-1'), http),
  ),
  client('unique orders', 'tasks', (http) => generate(uniqueTasks('waves', http.mistakes), http)),
  webhookApp('webhook with polls after a silence', 120_000),
  webhookApp('webhook only, and one look at its deadline', 10 * 60_000),
  client('batch', 'tasks', (http) =>
    batch(
      ['sea', 'sun', 'sky'].map((prompt) => tasks(prompt)),
      http,
    ),
  ),
  client('job store', 'tasks', (http) => jobStore(tasks('waves'), http)),
  client('list', 'tasks', (http) => byList(tasks('waves'), http)),
  client('iterator', 'tasks', (http) => iterate(tasks('waves'), http)),
  client('emitter', 'tasks', (http) => emit(tasks('waves'), http)),
  client('sdk', 'openai', (http) => sdk(openaiVideo('waves'), http)),
  client('held answers', 'replicate', (http) => generate(replicate('waves', { prefer: 'wait=20' }), http)),
  client('poll', 'replicate', (http) => generate(replicate('waves'), http)),
  falApp('result, and a webhook for lost answers'),
  client('poll', 'fal', (http) => generate(fal('waves'), http)),
  client('downloads', 'luma', (http) => generate(luma('waves'), http)),
  client('transcript', 'assemblyai', (http) => generate(assemblyai('https://example.com/talk.mp3'), http)),
  client('poll', 'runway', (http) => generate(runway('waves'), http)),
  client('poll', 'xai', (http) => generate(xai('waves'), http)),
  client('stream', 'openai', (http) => stream('Write about the sea.', http, OPENAI_KEY)),
].map((each) => ({ ...each, name: `${each.options.dialect ?? 'tasks'}: ${each.name}` }))
