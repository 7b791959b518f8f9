import type { Traffic } from './played-history.js'

/** A service that the learner does not know, and what it should find out. */
export interface Hidden {
  readonly name: string
  readonly scenario: Exclude<Traffic['scenario'], string>
  /** The mean time between two create requests, in milliseconds. */
  readonly every: number
  readonly order: (index: number) => { readonly model: string; readonly input: object }
  /** The expected prices by model. */
  readonly prices?: Readonly<Record<string, object>>
  /** The expected limits, such as `models acme/video-1 3`. */
  readonly limits?: readonly string[]
}

const VIDEO = 'acme/video-1'
const IMAGE = 'acme/image-1'
const CHAT = 'acme/chat-1'

const videos = (index: number) => ({ model: VIDEO, input: { prompt: 'waves', duration: 2 + (index % 9) } })
const images = (index: number) => ({ model: IMAGE, input: { prompt: 'waves', n: 1 + (index % 4) } })
const both = (index: number) => (index % 2 === 0 ? videos : images)(index >> 1)
const chats = (index: number) => ({
  model: CHAT,
  input: { messages: [{ role: 'user', content: 'why? '.repeat(1 + ((index * 37) % 200)) }] },
})
const resolutions = (index: number) => ({
  model: VIDEO,
  input: { prompt: 'waves', duration: 2 + (index % 7), resolution: ['480p', '720p', '1080p'][index % 3] },
})

const ERRORS = [
  { code: 'content_policy', message: 'The prompt was rejected.', weight: 5 },
  { code: 'internal_error', message: 'Try again.', weight: 3 },
  { code: 'timeout', message: 'It took too long.', weight: 2 },
]

/** Long tails, several peaks, errors, prices and limits. */
export const HIDDEN: readonly Hidden[] = [
  {
    name: 'a long tail',
    scenario: { models: { [VIDEO]: { delay: { median: '20s', p95: '200s' }, price: { per_second: 0.12 } } } },
    every: 5_000,
    order: videos,
    prices: { [VIDEO]: { per_second: 0.12 } },
  },
  {
    name: 'two peaks',
    scenario: {
      models: {
        [IMAGE]: {
          delay: { percentiles: { p0: '2s', p60: '3s', 'p60.1': '25s', p99: '40s', p100: '90s' } },
          price: { per_image: 0.035 },
        },
      },
    },
    every: 3_000,
    order: images,
    prices: { [IMAGE]: { per_image: 0.035 } },
  },
  {
    name: 'fixed times and many errors',
    scenario: {
      models: {
        [VIDEO]: { delay: '30s', failures: { rate: 0.3, errors: ERRORS }, price: { per_task: 0.5 } },
        [IMAGE]: { delay: '1500ms', failures: { rate: 0.02, errors: ERRORS }, price: { per_image: 0.04 } },
      },
    },
    every: 2_000,
    order: both,
    prices: { [VIDEO]: { per_task: 0.5 }, [IMAGE]: { per_image: 0.04 } },
  },
  {
    name: 'a price with a fixed part',
    scenario: {
      models: {
        [VIDEO]: { delay: { min: '10s', max: '20s' }, price: { per_task: 0.05, per_second: 0.125 } },
      },
    },
    every: 4_000,
    order: videos,
    prices: { [VIDEO]: { per_task: 0.05, per_second: 0.125 } },
  },
  {
    name: 'prices of tokens',
    scenario: {
      models: {
        [CHAT]: {
          delay: { median: '2500ms', p95: '9s' },
          price: { per_million_input_tokens: 2.5, per_million_output_tokens: 10 },
        },
      },
    },
    every: 4_000,
    order: chats,
    prices: { [CHAT]: { per_million_input_tokens: 2.5, per_million_output_tokens: 10 } },
  },
  {
    name: 'prices by resolution',
    scenario: {
      models: { [VIDEO]: { delay: { mean: '15s' }, price: { per_second: 0.1 } } },
      rules: [
        { when: { input: { resolution: '1080p' } }, then: { price: { per_second: 0.25 } } },
        { when: { input: { resolution: '480p' } }, then: { price: { per_second: 0.05 } } },
      ],
    },
    every: 4_000,
    order: resolutions,
  },
  {
    name: 'a limit of a model',
    scenario: {
      models: { [VIDEO]: { delay: { median: '20s', p95: '40s' } }, [IMAGE]: { delay: '8s' } },
      capacity: { models: { [VIDEO]: { running: 3 } } },
    },
    every: 4_000,
    order: both,
    limits: [`models ${VIDEO} 3`],
  },
  {
    name: 'a limit of all models',
    scenario: {
      models: {
        [VIDEO]: { delay: { median: '20s', p95: '40s' } },
        [IMAGE]: { delay: { min: '5s', max: '9s' } },
      },
      capacity: { running: 8 },
    },
    every: 1_900,
    order: both,
    limits: ['all  8'],
  },
  {
    name: 'a limit of each key',
    scenario: {
      models: { [VIDEO]: { delay: { mean: '20s' } }, [IMAGE]: { delay: '8s' } },
      capacity: { keys: { '*': { running: 5 } } },
    },
    every: 3_200,
    order: both,
    limits: ['all  5'],
  },
  {
    name: 'a limit of a kind',
    scenario: {
      models: {
        'acme/video-2': { delay: { min: '10s', max: '40s' } },
        [VIDEO]: { delay: '25s' },
        [IMAGE]: { delay: '4s' },
      },
      capacity: { kinds: { video: { running: 4 } } },
    },
    every: 5_000,
    order: (index) =>
      index % 3 === 0 ? images(index) : { ...videos(index), model: index % 3 === 1 ? VIDEO : 'acme/video-2' },
    limits: ['kinds video 4'],
  },
  {
    name: 'an overloaded service',
    scenario: { models: { [VIDEO]: { delay: { median: '20s', p95: '40s' } } }, capacity: { running: 4 } },
    every: 5_000,
    order: videos,
    limits: [`models ${VIDEO} 4`],
  },
  {
    name: 'delays with bounds, and no limit',
    scenario: {
      models: {
        [VIDEO]: { delay: { median: '20s', p95: '60s', min: '12s', max: '70s' } },
        [IMAGE]: { delay: { percentiles: { p0: '4s', p50: '5s', p90: '30s', p100: '60s' } } },
      },
    },
    every: 1_500,
    order: both,
  },
]
