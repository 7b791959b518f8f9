/** How a client calls a service. */
export interface Service {
  readonly origin: string
  /** The start of the paths of the origin in the dialect. */
  readonly host?: string
  readonly key?: string
  readonly create: string
  readonly body: Readonly<Record<string, unknown>>
  /** The body of a create request that is rejected, and the status; without a model and with 400 by default. */
  readonly invalid?: { readonly body: object; readonly status: number }
  /** The field of the id in the answer to a create request; `id` by default. */
  readonly id?: string
  /** The field of the webhook URL, if the service has webhooks. */
  readonly hook?: string
  readonly signs?: boolean
  readonly task: (id: string) => string
  /** The path of the result, if the task does not show it. */
  readonly result?: (id: string) => string
  /** A list with one task on a page. */
  readonly list?: string
  /** The seconds between two polls of a correct client. */
  readonly interval: number
  /** The status of a request without a key; 401 by default. */
  readonly keyless?: number
  /** Whether the answer has files. */
  readonly files?: boolean
}

/** The services of the built-in dialects, by the name of the dialect. */
export const SERVICES: Readonly<Record<string, Service>> = {
  fal: {
    origin: 'https://queue.fal.run',
    host: '/queue',
    key: 'Key sk_live_local',
    create: '/fal-ai/flux/dev',
    body: { prompt: 'a lighthouse' },
    invalid: { body: { num_images: 1_000 }, status: 422 },
    id: 'request_id',
    signs: true,
    task: (id) => `/fal-ai/flux/requests/${id}/status`,
    result: (id) => `/fal-ai/flux/requests/${id}`,
    interval: 0.5,
  },
  luma: {
    origin: 'https://api.lumalabs.ai',
    create: '/dream-machine/v1/generations/image',
    body: { model: 'photon-1', prompt: 'a lighthouse' },
    hook: 'callback_url',
    task: (id) => `/dream-machine/v1/generations/${id}`,
    list: '/dream-machine/v1/generations?limit=1',
    interval: 1,
  },
  runway: {
    origin: 'https://api.dev.runwayml.com',
    create: '/v1/text_to_image',
    body: { model: 'gen4_image', promptText: 'a lighthouse' },
    task: (id) => `/v1/tasks/${id}`,
    interval: 5,
  },
  openrouter: {
    origin: 'https://openrouter.ai',
    create: '/api/v1/videos',
    body: { model: 'google/veo-3.1', prompt: 'waves' },
    hook: 'callback_url',
    signs: true,
    task: (id) => `/api/v1/videos/${id}`,
    interval: 3,
  },
  openai: {
    origin: 'https://api.openai.com',
    create: '/v1/responses',
    body: { model: 'o3', input: 'Write about the sea.', background: true },
    signs: true,
    task: (id) => `/v1/responses/${id}`,
    interval: 2,
    files: false,
  },
  google: {
    origin: 'https://generativelanguage.googleapis.com',
    create: '/v1beta/models/veo-3.1-generate-preview:predictLongRunning',
    body: { instances: [{ prompt: 'waves' }] },
    task: (id) => `/v1beta/models/veo-3.1-generate-preview/operations/${id}`,
    id: 'name',
    keyless: 403,
    interval: 10,
  },
  assemblyai: {
    origin: 'https://api.assemblyai.com',
    key: 'assembly-key',
    create: '/v2/transcript',
    body: { audio_url: 'https://assembly.ai/sports_injuries.mp3' },
    hook: 'webhook_url',
    task: (id) => `/v2/transcript/${id}`,
    list: '/v2/transcript?limit=1',
    interval: 3,
    files: false,
  },
  replicate: {
    origin: 'https://api.replicate.com',
    create: '/v1/models/black-forest-labs/flux-schnell/predictions',
    body: { input: { prompt: 'a lighthouse' } },
    hook: 'webhook',
    signs: true,
    task: (id) => `/v1/predictions/${id}`,
    list: '/v1/predictions?limit=1',
    interval: 0.5,
  },
  runpod: {
    origin: 'https://api.runpod.ai',
    create: '/v2/flux-image/run',
    body: { input: { prompt: 'a horse' } },
    hook: 'webhook',
    task: (id) => `/v2/flux-image/status/${id}`,
    interval: 1,
  },
}
