import type { Service } from './flow.js'
import type { Answer, Mistakes } from './http.js'

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The default dialect, with an order that no other run has. */
export function uniqueTasks(prompt: string, mistakes: Mistakes): Service {
  const ordered = () => tasks(`${prompt} ${crypto.randomUUID()}`)
  const service = ordered()
  // Each attempt is an order of its own.
  return mistakes.has('blind retry')
    ? Object.defineProperty({ ...service }, 'create', { get: () => ordered().create })
    : service
}

const BEARER = { authorization: 'Bearer sk_live_local' }

/** The words of a service for the states of a task. */
function states(words: Readonly<Record<string, ReturnType<Service['stateOf']>>>, field = 'status') {
  return (json: Answer['json']) => words[json?.[field]] ?? 'unknown'
}

const TASKS = 'https://api.example.com/api/v1/tasks'

/** The default dialect. */
export function tasks(prompt: string, more: object = {}, model = 'acme/image-1'): Service {
  const input = { prompt }
  return {
    create: { method: 'POST', url: TASKS, body: { model, input, ...more } },
    idOf: ({ id }) => id,
    list: { url: `${TASKS}?limit=50&model=${encodeURIComponent(model)}` },
    entries: ({ data }) => data,
    isMine: (entry) => entry.model === model && same(entry.input, input),
    task: (id) => ({ url: `${TASKS}/${id}` }),
    stateOf: states({
      queued: 'running',
      processing: 'running',
      succeeded: 'done',
      failed: 'failed',
      canceled: 'canceled',
    }),
    outputOf: ({ output }) => output,
    filesOf: (output) => Object.values(output).flat() as string[],
    interval: 5_000,
    cancel: (id) => ({ method: 'POST', url: `${TASKS}/${id}/cancel` }),
  }
}

const REPLICATE = 'https://api.replicate.com/v1'

export function replicate(prompt: string, headers: Readonly<Record<string, string>> = {}): Service {
  const input = { prompt }
  return {
    create: { method: 'POST', url: `${REPLICATE}/models/acme/image-1/predictions`, body: { input }, headers },
    idOf: ({ id }) => id,
    list: { url: `${REPLICATE}/predictions` },
    entries: ({ results }) => results,
    isMine: (entry) => entry.model === 'acme/image-1' && same(entry.input, input),
    task: (id) => ({ url: `${REPLICATE}/predictions/${id}` }),
    stateOf: states({
      starting: 'running',
      processing: 'running',
      succeeded: 'done',
      failed: 'failed',
      canceled: 'canceled',
      aborted: 'canceled',
    }),
    outputOf: ({ output }) => output,
    filesOf: (output) => [output].flat(),
    interval: 2_000,
    cancel: (id) => ({ method: 'POST', url: `${REPLICATE}/predictions/${id}/cancel` }),
  }
}

const OPENAI = 'https://api.openai.com/v1'

export function openaiVideo(prompt: string): Service {
  return {
    create: { method: 'POST', url: `${OPENAI}/videos`, body: { model: 'sora-2', prompt } },
    idOf: ({ id }) => id,
    list: { url: `${OPENAI}/videos?limit=50` },
    entries: ({ data }) => data,
    isMine: (entry) => entry.model === 'sora-2' && entry.prompt === prompt,
    task: (id) => ({ url: `${OPENAI}/videos/${id}` }),
    stateOf: states({ queued: 'running', in_progress: 'running', completed: 'done', failed: 'failed' }),
    outputOf: ({ status }) => (status === 'completed' ? status : undefined),
    filesOf: (_, id) => [`${OPENAI}/videos/${id}/content`],
    fileHeaders: BEARER,
    interval: 10_000,
  }
}

const FAL = 'https://queue.fal.run/fal-ai/flux'

/** @param hook the URL of the receiver of its webhook, if it has one */
export function fal(prompt: string, hook?: string): Service {
  const query = hook === undefined ? '' : `?fal_webhook=${encodeURIComponent(hook)}`
  return {
    create: { method: 'POST', url: `${FAL}/dev${query}`, body: { prompt } },
    idOf: ({ request_id: id }) => id,
    task: (id) => ({ url: `${FAL}/requests/${id}/status` }),
    stateOf: states({ IN_QUEUE: 'running', IN_PROGRESS: 'running', COMPLETED: 'done' }),
    result: (id) => ({ url: `${FAL}/requests/${id}` }),
    outputOf: ({ images }) => images,
    filesOf: (images) => images.map(({ url }: { url: string }) => url),
    interval: 2_000,
  }
}

const LUMA = 'https://api.lumalabs.ai/dream-machine/v1/generations'

export function luma(prompt: string): Service {
  return {
    create: { method: 'POST', url: `${LUMA}/image`, body: { model: 'photon-1', prompt } },
    idOf: ({ id }) => id,
    list: { url: `${LUMA}?limit=50` },
    entries: ({ generations }) => generations,
    isMine: ({ request }) => request?.prompt === prompt,
    task: (id) => ({ url: `${LUMA}/${id}` }),
    stateOf: states({ queued: 'running', dreaming: 'running', completed: 'done', failed: 'failed' }, 'state'),
    outputOf: ({ assets }) => assets?.image,
    filesOf: (image) => [image],
    interval: 5_000,
  }
}

const ASSEMBLYAI = 'https://api.assemblyai.com/v2/transcript'

export function assemblyai(audio: string): Service {
  return {
    create: { method: 'POST', url: ASSEMBLYAI, body: { audio_url: audio } },
    idOf: ({ id }) => id,
    list: { url: `${ASSEMBLYAI}?limit=50` },
    entries: ({ transcripts }) => transcripts,
    isMine: ({ audio_url }) => audio_url === audio,
    task: (id) => ({ url: `${ASSEMBLYAI}/${id}` }),
    stateOf: states({ queued: 'running', processing: 'running', completed: 'done', error: 'failed' }),
    outputOf: ({ text }) => text,
    interval: 5_000,
  }
}

export function runway(prompt: string): Service {
  const url = 'https://api.dev.runwayml.com/v1'
  return {
    create: {
      method: 'POST',
      url: `${url}/text_to_image`,
      body: { model: 'gen4_image', promptText: prompt, ratio: '1024:1024' },
    },
    idOf: ({ id }) => id,
    task: (id) => ({ url: `${url}/tasks/${id}` }),
    stateOf: states({
      PENDING: 'running',
      THROTTLED: 'running',
      RUNNING: 'running',
      SUCCEEDED: 'done',
      FAILED: 'failed',
      CANCELLED: 'canceled',
    }),
    outputOf: ({ output }) => output,
    filesOf: (output) => output,
    interval: 5_000,
  }
}

const XAI = 'https://api.x.ai/v1/videos'

/** Offers neither a list nor webhooks. Its word for blocked content is that for a success. */
export function xai(prompt: string): Service {
  return {
    create: { method: 'POST', url: `${XAI}/generations`, body: { model: 'grok-imagine-video', prompt } },
    idOf: ({ request_id: id }) => id,
    task: (id) => ({ url: `${XAI}/${id}` }),
    stateOf: states({ pending: 'running', done: 'done', failed: 'failed', expired: 'failed' }),
    outputOf: ({ video }) => (video?.respect_moderation ? video.url : undefined),
    filesOf: (url) => [url],
    interval: 5_000,
  }
}

/** The headers of the requests of a client, by its dialect. */
export const KEYS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tasks: BEARER,
  replicate: BEARER,
  openai: BEARER,
  luma: BEARER,
  xai: BEARER,
  fal: { authorization: 'Key sk_live_local' },
  assemblyai: { authorization: 'assembly-key' },
  runway: { ...BEARER, 'x-runway-version': '2024-11-06' },
}
