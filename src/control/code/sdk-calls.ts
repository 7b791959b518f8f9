import { JAVASCRIPT, literal, type Written } from './literal.js'

type Body = Readonly<Record<string, Written>>

/** A request to a service. */
export interface ServiceCall {
  /** The path of the dialect, percent-encoded. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: Body
  /** The headers that the client does not set by itself. */
  readonly headers: Readonly<Record<string, string>>
}

/** A call of a function of a client. */
interface CallCode {
  /** The name of the function with its arguments. */
  readonly call: string
  /** Whether the arguments contain the headers. */
  readonly sendsHeaders: boolean
}

/** The length of the code before the name of the function. */
const BEFORE_CALL = 'const task = await client.()'.length

type CallWriter = (call: ServiceCall) => CallCode | undefined

/** The functions of the official clients that send create requests, by dialect; as in their source. */
export const CALL_WRITERS: Readonly<Record<string, CallWriter>> = {
  assemblyai: ({ path, body }) => match(path, '/v2/transcript', () => plain('transcripts.submit', body)),
  elevenlabs: ({ path, query, body, headers }) =>
    match(path, '/v1/dubbing', () => withHeaders('dubbing.create', [camelCased(body)], headers)) ??
    match(path, '/v1/text-to-speech/([^/]+)', (voice) =>
      withHeaders('textToSpeech.convert', [voice, camelCased({ ...body, ...query })], headers),
    ),
  fal({ path, query, body, headers }) {
    const { fal_webhook: webhookUrl } = query
    const options = { input: body, ...(webhookUrl !== undefined && { webhookUrl }) }
    return (
      match(path, '/queue/(.+)', (model) => withHeaders('queue.submit', [model], headers, options)) ??
      // A stream is another function.
      match(path, '/run/(.+?)(?<!/stream)', (model) => plain('run', model, { input: body }))
    )
  },
  google: ({ path, body, headers }) =>
    match(path, '/[^/]+/models/([^/]+):predictLongRunning', (model) => videoOf(model, body, headers)) ??
    match(path, '/[^/]+/interactions', () => withHeaders('interactions.create', [body], headers)),
  leonardo: ({ path, body, headers }) => {
    const options = Object.keys(headers).length > 0 && { fetchOptions: { headers } }
    const create = (name: string, order: Body) =>
      withHeaders(name, [camelCased(order), ...(options ? [options] : [])], {})
    return (
      match(path, '/api/rest/v1/generations', () => create('image.createGeneration', body)) ??
      match(path, '/api/rest/v1/generations-text-to-video', () =>
        create('motion.createTextToVideoGeneration', body),
      ) ??
      match(path, '/api/rest/v1/generations-image-to-video', () =>
        // The client requires the type, which the service does not.
        create('motion.createImageToVideoGeneration', { imageType: 'GENERATED', ...body }),
      )
    )
  },
  luma: ({ path, body, headers }) =>
    match(path, '/dream-machine/v1/generations((?:/[^/]+)*)', (rest) => {
      const [, first, second] = rest.split('/')
      const kinds = ['image', 'video']
      if (first === undefined || kinds.includes(first)) {
        const owner = first === undefined ? 'generations' : `generations.${first}`
        return withHeaders(`${owner}.${second ?? 'create'}`, [body], headers)
      }
      return second === undefined ? undefined : withHeaders(`generations.${second}`, [first, body], headers)
    }),
  openai: ({ path, body, headers }) =>
    match(path, '/v1/responses', () => withHeaders('responses.create', [body], headers)) ??
    match(path, '/v1/videos', () => withHeaders('videos.create', [body], headers)) ??
    match(path, '/v1/videos/edits', () => withHeaders('videos.edit', [body], headers)) ??
    match(path, '/v1/videos/([^/]+)/remix', (id) => withHeaders('videos.remix', [id, body], headers)),
  openrouter: ({ path, body, headers }) =>
    match(path, '/api/v1/videos', () => {
      const videoGenerationRequest = camelCased(body)
      return withHeaders('videoGeneration.generate', [{ videoGenerationRequest }], headers)
    }),
  replicate: ({ path, body }) =>
    match(path, '/v1/predictions', () => plain('predictions.create', versioned(body))) ??
    match(path, '/v1/models/([^/]+/[^/]+)/predictions', (model) =>
      plain('predictions.create', { model, ...body }),
    ) ??
    match(path, '/v1/deployments/([^/]+)/([^/]+)/predictions', (owner, name) =>
      plain('deployments.predictions.create', owner, name, body),
    ),
  runpod: ({ path, body }) =>
    match(path, '/v2/([^/]+)/run', (id) => plain(`endpoint(${literal(id, JAVASCRIPT)}).run`, body)) ??
    match(path, '/v2/([^/]+)/runsync', (id) => plain(`endpoint(${literal(id, JAVASCRIPT)}).runSync`, body)),
  runway: ({ path, body, headers }) =>
    match(path, '/v1/(?:(generate|recipes)/)?([^/]+)', (group = '', name = '') => {
      const owner = [group, camelCase(name)].filter((part) => part !== '').join('.')
      return withHeaders(group === 'recipes' ? owner : `${owner}.create`, [body], headers)
    }),
  together: ({ path, body, headers }) =>
    match(path, '/v[12]/videos', () => withHeaders('videos.create', [body], headers)),
  // With an API key, the client names no project.
  vertex: ({ path, body, headers }) =>
    match(path, '/[^/]+/publishers/google/models/([^/]+):predictLongRunning', (model) =>
      videoOf(model, body, headers),
    ),
}

function match(
  path: string,
  pattern: string,
  write: (...parts: string[]) => CallCode | undefined,
): CallCode | undefined {
  const found = new RegExp(`^${pattern}$`).exec(path)
  return found === null ? undefined : write(...found.slice(1))
}

/** A call of a function that cannot send headers. */
function plain(name: string, ...args: readonly Written[]): CallCode {
  return { call: callOf(name, args), sendsHeaders: false }
}

/** A call of a function whose last argument are options, which can have headers. */
function withHeaders(
  name: string,
  args: readonly Written[],
  headers: ServiceCall['headers'],
  options: Body = {},
): CallCode {
  const all = { ...options, ...(Object.keys(headers).length > 0 && { headers }) }
  return { call: callOf(name, Object.keys(all).length === 0 ? args : [...args, all]), sendsHeaders: true }
}

function callOf(name: string, args: readonly Written[]): string {
  const column = BEFORE_CALL + name.length
  return `${name}(${args.map((each) => literal(each, JAVASCRIPT, '', column)).join(', ')})`
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** The fields of a body under the names that a client gives them. */
function camelCased(body: Body): Body {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [camelCase(name), value]))
}

/** The client sends `model` as a path, which has an owner and a name. */
function versioned({ model, ...body }: Body): Body {
  if (model === undefined || body['version'] !== undefined) return body
  return /^[^/]+\/[^/]+$/.test(String(model)) ? { model, ...body } : { version: model, ...body }
}

/** The fields of `parameters` whose name in the client is different. */
const VIDEO_NAMES: Readonly<Record<string, string>> = {
  sampleCount: 'numberOfVideos',
  storageUri: 'outputGcsUri',
}

/** The client translates pictures and videos in another form, so only a prompt has the same form in both. */
function videoOf(model: string, body: Body, headers: ServiceCall['headers']): CallCode | undefined {
  const { instances, parameters = {}, webhookConfig, ...others } = body
  const [instance, ...more] = Array.isArray(instances) ? instances : []
  const { prompt, ...media }: Body = Object(instance)
  if (prompt === undefined || [media, more, others].some((each) => Object.keys(each).length > 0))
    return undefined
  const options: Body = Object(parameters)
  const config = {
    ...Object.fromEntries(Object.entries(options).map(([name, value]) => [VIDEO_NAMES[name] ?? name, value])),
    ...(webhookConfig !== undefined && { webhookConfig }),
    ...(Object.keys(headers).length > 0 && { httpOptions: { headers } }),
  }
  const request = { model, source: { prompt }, ...(Object.keys(config).length > 0 && { config }) }
  return withHeaders('models.generateVideos', [request], {})
}
