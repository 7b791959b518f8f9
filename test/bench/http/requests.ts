import { headersFor, SERVICES, type Service } from '../../support/services.js'

const JSON_TYPE = { 'content-type': 'application/json' }

/** How a client creates a task of a kind in a dialect, and polls it. */
export interface ServiceRequest {
  /** Such as `fal image`. */
  readonly name: string
  readonly create: string
  readonly body: object
  readonly headers: Readonly<Record<string, string>>
  /** The field of the id in the answer; `id` by default. */
  readonly id?: string
  /** The path of the poll. */
  readonly polls: (id: string) => string
  /** The body of a poll that is a POST. */
  readonly pollBody?: (id: string) => object
}

const PROMPT = { prompt: 'a lighthouse at dawn' }
/** An input of each kind. */
const INPUTS = {
  image: PROMPT,
  video: PROMPT,
  audio: { text: 'a lighthouse at dawn' },
  llm: { messages: [{ role: 'user', content: 'Write about the sea.' }] },
  transcript: { audio_url: 'https://example.com/a.mp3' },
  tool: PROMPT,
}

const bearer = { ...JSON_TYPE, authorization: 'Bearer sk_live_local' }

/** The services whose models are of any kind. */
const ofEveryKind = Object.entries(INPUTS).flatMap(([kind, input]): ServiceRequest[] => [
  {
    name: `tasks ${kind}`,
    create: '/api/v1/tasks',
    body: { model: `acme/${kind}-1`, input },
    headers: bearer,
    polls: (id) => `/api/v1/tasks/${id}`,
  },
  {
    name: `fal ${kind}`,
    create: `/fal/queue/acme/${kind}-1`,
    body: input,
    headers: { ...JSON_TYPE, authorization: 'Key sk_live_local' },
    id: 'request_id',
    polls: (id) => `/fal/queue/acme/${kind}-1/requests/${id}/status`,
  },
  {
    name: `replicate ${kind}`,
    create: `/replicate/v1/models/acme/${kind}-1/predictions`,
    body: { input },
    headers: bearer,
    polls: (id) => `/replicate/v1/predictions/${id}`,
  },
  {
    name: `runpod ${kind}`,
    create: `/runpod/v2/${kind}-1/run`,
    body: { input },
    headers: bearer,
    polls: (id) => `/runpod/v2/${kind}-1/status/${id}`,
  },
])

const luma = (kind: string, model: string): ServiceRequest => ({
  name: `luma ${kind}`,
  create: `/luma/dream-machine/v1/generations/${kind}`,
  body: { model, ...PROMPT },
  headers: bearer,
  polls: (id) => `/luma/dream-machine/v1/generations/${id}`,
})

const runway = (kind: string, path: string, body: object): ServiceRequest => ({
  name: `runway ${kind}`,
  create: `/runway/v1/${path}`,
  body,
  headers: { ...bearer, 'x-runway-version': '2024-11-06' },
  polls: (id) => `/runway/v1/tasks/${id}`,
})

/** The AI SDK, which gets some files in the answer. */
const inSdk = ({ name, headers, ...request }: ServiceRequest): ServiceRequest => ({
  ...request,
  name: `${name} for the AI SDK`,
  headers: { ...headers, 'user-agent': 'ai-sdk/provider-utils/3.0.0' },
})

const google: ServiceRequest = {
  name: 'google video',
  create: '/google/v1beta/models/veo-3.1-generate-preview:predictLongRunning',
  body: { instances: [PROMPT] },
  headers: { ...JSON_TYPE, 'x-goog-api-key': 'sk_live_local' },
  id: 'name',
  polls: (name) => `/google/v1beta/${name}`,
}

/** A service with one kind. */
const only = (name: string, kind: string, service: Service): ServiceRequest => ({
  name: `${name} ${kind}`,
  create: `/${name}${service.create}`,
  body: service.body,
  headers: headersFor(service),
  id: service.id ?? 'id',
  polls: (id) => `/${name}${service.task(id)}`,
})

const OF_ONE_KIND = {
  ark: 'video',
  bfl: 'image',
  dashscope: 'video',
  kling: 'video',
  minimax: 'video',
  together: 'video',
  xai: 'video',
}

/** Google's Interactions, with the file in the answer or its URL. */
const interaction = (name: string, body: object): ServiceRequest => ({
  name: `google interaction, ${name}`,
  create: '/google/v1beta/interactions',
  body: { ...body, background: true },
  headers: google.headers,
  polls: (id) => `/google/v1beta/interactions/${id}`,
})

const VERTEX = '/vertex/v1/projects/p/locations/us-central1/publishers/google/models/veo-3.1-generate-001'

/** A request for every kind that a dialect knows. */
export const REQUESTS: readonly ServiceRequest[] = [
  google,
  inSdk(google),
  ...ofEveryKind.filter(({ name }) => /^(?:fal|runpod) video$/.test(name)).map(inSdk),
  ...ofEveryKind,
  luma('image', 'photon-1'),
  luma('video', 'ray-2'),
  runway('image', 'text_to_image', { model: 'gen4_image', promptText: 'a lighthouse', ratio: '1280:720' }),
  runway('video', 'text_to_video', {
    model: 'veo3.1',
    promptText: 'a lighthouse',
    ratio: '1280:720',
    duration: 8,
  }),
  runway('audio', 'text_to_speech', {
    model: 'eleven_multilingual_v2',
    promptText: 'a lighthouse',
    voice: { type: 'runway-preset', presetId: 'Leslie' },
  }),
  {
    name: 'openrouter video',
    create: '/openrouter/api/v1/videos',
    body: { model: 'google/veo-3.1', ...PROMPT },
    headers: bearer,
    polls: (id) => `/openrouter/api/v1/videos/${id}`,
  },
  {
    name: 'openai llm',
    create: '/openai/v1/responses',
    body: { model: 'o3', input: 'Write about the sea.', background: true },
    headers: bearer,
    polls: (id) => `/openai/v1/responses/${id}`,
  },
  {
    name: 'openai video',
    create: '/openai/v1/videos',
    body: { model: 'sora-2', ...PROMPT },
    headers: bearer,
    polls: (id) => `/openai/v1/videos/${id}`,
  },
  {
    name: 'assemblyai transcript',
    create: '/assemblyai/v2/transcript',
    body: INPUTS.transcript,
    headers: { ...JSON_TYPE, authorization: 'sk_live_local' },
    polls: (id) => `/assemblyai/v2/transcript/${id}`,
  },
  ...Object.entries(OF_ONE_KIND).flatMap(([name, kind]) => {
    const service = SERVICES[name]
    return service === undefined ? [] : [only(name, kind, service)]
  }),
  interaction('text', { model: 'gemini-3-pro', input: 'Write about the sea.' }),
  interaction('image', { model: 'gemini-3-pro-image', input: 'A kite' }),
  interaction('video', { model: 'gemini-omni-1.2-flash', input: 'A kite' }),
  interaction('URL of a video', {
    model: 'gemini-omni-1.2-flash',
    input: 'A kite',
    response_format: [{ type: 'video', delivery: 'uri' }],
  }),
  ...[{}, { storageUri: 'gs://bucket/clips' }].map((parameters, index) => ({
    name: `vertex video${index === 0 ? '' : ' in a bucket'}`,
    create: `${VERTEX}:predictLongRunning`,
    body: { instances: [PROMPT], parameters },
    headers: bearer,
    id: 'name',
    polls: () => `${VERTEX}:fetchPredictOperation`,
    pollBody: (operationName: string) => ({ operationName }),
  })),
]
