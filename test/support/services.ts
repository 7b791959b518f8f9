/** How a client calls a service. */
export interface Service {
  readonly origin: string
  /** The start of the paths of the origin in the dialect. */
  readonly host?: string
  readonly key?: string
  /** The header of the key; `authorization` by default. */
  readonly keyHeader?: string
  /** Further headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  readonly create: string
  readonly body: Readonly<Record<string, unknown>>
  /**
   * The path of a create request that is rejected, its body, and the status; by default that of `create`, without a
   * model and with 400.
   */
  readonly invalid?: { readonly path?: string; readonly body: object; readonly status: number }
  /** The field of the id in the answer to a create request, such as `data.id`; `id` by default. */
  readonly id?: string
  /** The field of the id in a task that a poll shows, if it has another name there. */
  readonly idInPoll?: string
  /** The field of the webhook URL, if the service has webhooks. */
  readonly hook?: string
  readonly signs?: boolean
  /** Whether the signature contains no time. */
  readonly signsNoTime?: boolean
  readonly task: (id: string) => string
  /** The path of the result, if the task does not show it. */
  readonly result?: (id: string) => string
  /** A list with one task on a page. */
  readonly list?: string
  /** The query of its second page, if no link leads there, with a field of the first page; `offset=1` by default. */
  readonly next?: string
  /** The seconds between two polls of a correct client. */
  readonly interval: number
  /** The status of a request without a key; 401 by default. */
  readonly keyless?: number
  /** The status of a poll of an unknown task; 404 by default. */
  readonly unknown?: number
  /** Whether the answer has files. */
  readonly files?: boolean
  /** The path of the output file, if answers have no URL of it. */
  readonly file?: (id: string) => string
}

/** The headers of a request to a service. @param key with the word before it; empty for none */
export function headersFor(
  { key: usual = 'Bearer sk_live_local', keyHeader, headers }: Service,
  key: string = usual,
): Readonly<Record<string, string>> {
  const own = keyHeader === undefined ? { authorization: key } : { [keyHeader]: key.replace('Bearer ', '') }
  return { ...(key !== '' && own), 'content-type': 'application/json', ...headers }
}

/** The id of the task in the answer to a create request; empty if it has none. */
export function idIn({ id = 'id' }: Pick<Service, 'id'>, answer: unknown): string {
  const value = id.split('.').reduce<unknown>((outer, field) => Object(outer)[field], answer)
  return typeof value === 'string' ? value.replace(/^.*\//, '') : ''
}

/** An answer about a task, with the URL of its file if the answer has none. */
export function withFile({ origin, file }: Service, id: string, answer: string): string {
  return file === undefined || !/"dubbed"/.test(answer) ? answer : `${answer} "${origin}${file(id)}"`
}

/** Whether a request for a file needs the key. */
export function needsKey(url: string): boolean {
  return /\/content|:download|\/audio\//.test(url)
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
    headers: { 'x-runway-version': '2024-11-06' },
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
    keyHeader: 'x-goog-api-key',
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
  xai: {
    origin: 'https://api.x.ai',
    create: '/v1/videos/generations',
    body: { model: 'grok-imagine-video', prompt: 'waves' },
    invalid: { body: { model: 'grok-imagine-video' }, status: 400 },
    id: 'request_id',
    task: (id) => `/v1/videos/${id}`,
    interval: 5,
  },
  ark: {
    origin: 'https://ark.ap-southeast.bytepluses.com',
    create: '/api/v3/contents/generations/tasks',
    body: { model: 'seedance-1-0-pro-video', content: [{ type: 'text', text: 'waves' }] },
    hook: 'callback_url',
    task: (id) => `/api/v3/contents/generations/tasks/${id}`,
    list: '/api/v3/contents/generations/tasks?page_size=1',
    next: 'page_num=2',
    interval: 3,
  },
  bfl: {
    origin: 'https://api.bfl.ai',
    keyHeader: 'x-key',
    create: '/v1/flux-2-pro',
    body: { prompt: 'waves' },
    invalid: { body: { width: 64 }, status: 422 },
    hook: 'webhook_url',
    signs: true,
    signsNoTime: true,
    task: (id) => `/v1/get_result?id=${id}`,
    keyless: 403,
    unknown: 200,
    interval: 0.5,
  },
  dashscope: {
    origin: 'https://dashscope-intl.aliyuncs.com',
    headers: { 'x-dashscope-async': 'enable' },
    create: '/api/v1/services/aigc/video-generation/video-synthesis',
    body: { model: 'wan2.5-t2v-preview', input: { prompt: 'waves' } },
    id: 'output.task_id',
    task: (id) => `/api/v1/tasks/${id}`,
    list: '/api/v1/tasks?page_size=1',
    next: 'page_no=2',
    unknown: 200,
    interval: 5,
  },
  kling: {
    origin: 'https://api-singapore.klingai.com',
    create: '/v1/videos/text2video',
    body: { model_name: 'kling-v2-1-master', prompt: 'waves' },
    id: 'data.task_id',
    hook: 'callback_url',
    signs: true,
    task: (id) => `/v1/videos/text2video/${id}`,
    list: '/v1/videos/text2video?pageSize=1',
    next: 'pageNum=2',
    interval: 5,
  },
  minimax: {
    origin: 'https://api.minimax.io',
    create: '/v1/video_generation',
    body: { model: 'MiniMax-Hailuo-02', prompt: 'waves' },
    invalid: { body: { prompt: 'waves' }, status: 200 },
    id: 'task_id',
    hook: 'callback_url',
    task: (id) => `/v1/query/video_generation?task_id=${id}`,
    result: (id) => `/v1/files/retrieve?file_id=${id}`,
    keyless: 200,
    unknown: 200,
    interval: 10,
  },
  elevenlabs: {
    origin: 'https://api.elevenlabs.io',
    keyHeader: 'xi-api-key',
    create: '/v1/dubbing',
    body: { source_url: 'https://example.com/speech.mp3', target_lang: 'es' },
    invalid: { path: '/v1/text-to-speech/any', body: {}, status: 422 },
    id: 'dubbing_id',
    task: (id) => `/v1/dubbing/${id}`,
    list: '/v1/dubbing?page_size=1',
    next: 'cursor={next_cursor}',
    interval: 1,
    file: (id) => `/v1/dubbing/${id}/audio/es`,
  },
  heygen: {
    origin: 'https://api.heygen.com',
    keyHeader: 'x-api-key',
    create: '/v3/videos',
    body: { type: 'avatar', script: 'Hello.' },
    invalid: { body: { script: 'Hello.' }, status: 400 },
    id: 'data.video_id',
    idInPoll: 'id',
    hook: 'callback_url',
    task: (id) => `/v3/videos/${id}`,
    list: '/v3/videos?limit=1',
    next: 'token={next_token}',
    interval: 30,
  },
  leonardo: {
    origin: 'https://cloud.leonardo.ai',
    create: '/api/rest/v1/generations',
    body: { prompt: 'waves' },
    id: 'sdGenerationJob.generationId',
    idInPoll: 'id',
    task: (id) => `/api/rest/v1/generations/${id}`,
    list: '/api/rest/v1/generations/user/me?limit=1',
    unknown: 200,
    signs: true,
    signsNoTime: true,
    interval: 1,
  },
  stability: {
    origin: 'https://api.stability.ai',
    headers: { accept: 'application/json' },
    create: '/v2beta/stable-image/upscale/creative',
    body: { image: 'https://example.com/cat.png', prompt: 'waves' },
    invalid: { body: { prompt: 'waves' }, status: 400 },
    task: (id) => `/v2beta/stable-image/upscale/creative/result/${id}`,
    files: false,
    interval: 1,
  },
  together: {
    origin: 'https://api.together.ai',
    create: '/v2/videos',
    body: { model: 'minimax/video-01-director', prompt: 'waves' },
    task: (id) => `/v2/videos/${id}`,
    interval: 5,
  },
}
