import { JAVASCRIPT, literal, type Written } from './literal.js'

/** How a client of a service finds tasksim. */
export interface ClientAddress {
  /** The path of its base URL on the server. */
  readonly path: string
  /** The environment variable of its base URL; undefined if it reads none. */
  readonly urlVariable?: string
  /** The environment variable of its API key; undefined if it reads none. */
  readonly keyVariable?: string
  /** The environment variable of the secret of its webhooks; undefined if it reads none. */
  readonly secretVariable?: string
  /** The variables of base URLs that clients in other languages read, with the path of each on the server. */
  readonly furtherUrls?: Readonly<Record<string, string>>
  /** The variables of the API key that clients in other languages read. */
  readonly furtherKeys?: readonly string[]
  /** Further environment variables that the clients need, with their values. */
  readonly settings?: Readonly<Record<string, string>>
  /** The environment variables that send the client elsewhere, or replace its API key. */
  readonly conflicts?: readonly string[]
}

/** How the official client of a service is pointed to tasksim. */
export interface ClientSetup extends ClientAddress {
  /** The npm package of the client. */
  readonly package: string
  /** The import of the client. */
  readonly import: string
  /** The construction of the client, with `{{url}}` and `{{key}}` in place of string literals. */
  readonly code: string
}

/** The official clients, by dialect. The paths and variables are those of their source. */
export const CLIENTS: Readonly<Record<string, ClientSetup>> = {
  replicate: {
    package: 'replicate',
    path: '/replicate/v1',
    keyVariable: 'REPLICATE_API_TOKEN',
    furtherUrls: { REPLICATE_BASE_URL: '/replicate', REPLICATE_API_BASE_URL: '/replicate' },
    import: "import Replicate from 'replicate'",
    code: 'const client = new Replicate({ baseUrl: {{url}}, auth: {{key}} })',
  },
  luma: {
    package: 'lumaai',
    path: '/luma/dream-machine/v1',
    urlVariable: 'LUMAAI_BASE_URL',
    keyVariable: 'LUMAAI_API_KEY',
    import: "import LumaAI from 'lumaai'",
    code: 'const client = new LumaAI({ baseURL: {{url}}, authToken: {{key}} })',
  },
  runway: {
    package: '@runwayml/sdk',
    path: '/runway',
    urlVariable: 'RUNWAYML_BASE_URL',
    keyVariable: 'RUNWAYML_API_SECRET',
    import: "import RunwayML from '@runwayml/sdk'",
    code: 'const client = new RunwayML({ baseURL: {{url}}, apiKey: {{key}} })',
  },
  openrouter: {
    package: '@openrouter/sdk',
    path: '/openrouter/api/v1',
    urlVariable: 'OPENROUTER_BASE_URL',
    keyVariable: 'OPENROUTER_API_KEY',
    import: "import { OpenRouter } from '@openrouter/sdk'",
    code: 'const client = new OpenRouter({ serverURL: {{url}}, apiKey: {{key}} })',
  },
  openai: {
    package: 'openai',
    path: '/openai/v1',
    urlVariable: 'OPENAI_BASE_URL',
    keyVariable: 'OPENAI_API_KEY',
    secretVariable: 'OPENAI_WEBHOOK_SECRET',
    import: "import OpenAI from 'openai'",
    code: 'const client = new OpenAI({ baseURL: {{url}}, apiKey: {{key}} })',
  },
  google: {
    package: '@google/genai',
    path: '/google',
    urlVariable: 'GOOGLE_GEMINI_BASE_URL',
    keyVariable: 'GEMINI_API_KEY',
    conflicts: ['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_GENAI_USE_ENTERPRISE', 'GOOGLE_API_KEY'],
    import: "import { GoogleGenAI } from '@google/genai'",
    code: 'const client = new GoogleGenAI({ apiKey: {{key}}, httpOptions: { baseUrl: {{url}} } })',
  },
  vertex: {
    package: '@google/genai',
    path: '/vertex',
    urlVariable: 'GOOGLE_VERTEX_BASE_URL',
    keyVariable: 'GOOGLE_API_KEY',
    settings: { GOOGLE_GENAI_USE_VERTEXAI: 'true' },
    conflicts: ['GOOGLE_CLOUD_PROJECT', 'GOOGLE_CLOUD_LOCATION'],
    import: "import { GoogleGenAI } from '@google/genai'",
    code: 'const client = new GoogleGenAI({ vertexai: true, apiKey: {{key}}, httpOptions: { baseUrl: {{url}} } })',
  },
  assemblyai: {
    package: 'assemblyai',
    path: '/assemblyai',
    furtherUrls: { ASSEMBLYAI_BASE_URL: '/assemblyai' },
    furtherKeys: ['ASSEMBLYAI_API_KEY'],
    import: "import { AssemblyAI } from 'assemblyai'",
    code: 'const client = new AssemblyAI({ baseUrl: {{url}}, apiKey: {{key}} })',
  },
  elevenlabs: {
    package: '@elevenlabs/elevenlabs-js',
    path: '/elevenlabs',
    keyVariable: 'ELEVENLABS_API_KEY',
    import: "import { ElevenLabsClient } from '@elevenlabs/elevenlabs-js'",
    code: 'const client = new ElevenLabsClient({ baseUrl: {{url}}, apiKey: {{key}} })',
  },
  fal: {
    package: '@fal-ai/client',
    path: '/fal/proxy',
    keyVariable: 'FAL_KEY',
    import: "import { createFalClient } from '@fal-ai/client'",
    code: "const client = createFalClient({ proxyUrl: { url: {{url}}, when: 'always' }, credentials: {{key}} })",
  },
  leonardo: {
    package: '@leonardo-ai/sdk',
    path: '/leonardo/api/rest/v1',
    import: "import { Leonardo } from '@leonardo-ai/sdk'",
    code: 'const client = new Leonardo({ serverURL: {{url}}, bearerAuth: {{key}} })',
  },
  together: {
    package: 'together-ai',
    path: '/together/v2',
    urlVariable: 'TOGETHER_BASE_URL',
    keyVariable: 'TOGETHER_API_KEY',
    import: "import Together from 'together-ai'",
    code: 'const client = new Together({ baseURL: {{url}}, apiKey: {{key}} })',
  },
  runpod: {
    package: 'runpod-sdk',
    path: '/runpod/v2',
    furtherUrls: { RUNPOD_ENDPOINT_BASE_URL: '/runpod/v2' },
    furtherKeys: ['RUNPOD_API_KEY'],
    import: "import runpodSdk from 'runpod-sdk'",
    code: 'const client = runpodSdk({{key}}, { baseUrl: {{url}} })',
  },
}

/** Where the clients of the services find tasksim that have no official client on npm, by dialect. */
export const OTHER_CLIENTS: Readonly<Record<string, ClientAddress>> = {
  xai: { path: '/xai/v1', keyVariable: 'XAI_API_KEY' },
  ark: { path: '/ark/api/v3', keyVariable: 'ARK_API_KEY' },
  bfl: { path: '/bfl/v1', keyVariable: 'BFL_API_KEY' },
  dashscope: {
    path: '/dashscope',
    furtherUrls: { DASHSCOPE_HTTP_BASE_URL: '/dashscope/api/v1' },
    furtherKeys: ['DASHSCOPE_API_KEY', 'ALIBABA_API_KEY'],
  },
  kling: { path: '/kling', keyVariable: 'KLINGAI_API_KEY' },
  minimax: { path: '/minimax/v1', keyVariable: 'MINIMAX_API_KEY' },
  stability: { path: '/stability' },
  heygen: {
    path: '/heygen',
    urlVariable: 'HEYGEN_API_BASE',
    keyVariable: 'HEYGEN_API_KEY',
    settings: { HEYGEN_ALLOW_HTTP: '1' },
  },
}

/**
 * The two lines of code that point a client to the server at an origin.
 * @param key the API key, or an expression
 */
export function clientCode(setup: ClientSetup, origin: string, key: Written): readonly [string, string] {
  const url = literal(origin + setup.path, JAVASCRIPT)
  return [setup.import, constructionOf(setup, url, literal(key, JAVASCRIPT))]
}

/** The line of code that constructs a client. @param url an expression, as well as `key` */
export function constructionOf({ code }: Pick<ClientSetup, 'code'>, url: string, key: string): string {
  return code.replace('{{url}}', () => url).replace('{{key}}', () => key)
}
