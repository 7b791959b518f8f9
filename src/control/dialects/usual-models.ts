import type { Dialect } from '../../dialects/dialect.js'
import type { Simulator } from '../../simulator/simulator.js'

/** The models of a kind that the scenario or the service has. */
export function modelsOf(
  {
    scenario,
    tasks: {
      factory: { planner },
    },
  }: Simulator,
  { name }: Dialect,
  kind: string,
): string[] {
  const listed = Object.keys(scenario.models).filter((model) => !model.includes('*'))
  const all = new Set([...listed, ...(USUAL_MODELS[name] ?? [])])
  return [...all].filter((model) => planner.kindOf(model, {}) === kind)
}

/** A model of a kind that the service offers; of any kind if it is undefined. */
export function usualModel(sim: Simulator, { name }: Dialect, kind: string | undefined): string | undefined {
  const models = USUAL_MODELS[name] ?? []
  return kind === undefined
    ? models[0]
    : models.find((model) => sim.tasks.factory.planner.kindOf(model, {}) === kind)
}

/** Models that the services offer, by dialect, as suggestions. A request may name any other. */
const USUAL_MODELS: Readonly<Record<string, readonly string[]>> = {
  tasks: ['acme/image-1', 'acme/video-1', 'acme/audio-1', 'acme/llm-1', 'acme/transcript-1', 'acme/tool-1'],
  ark: ['seedance-1-0-pro-video'],
  assemblyai: ['universal', 'universal-2'],
  bfl: ['flux-2-pro', 'flux-kontext-pro', 'flux-3-video'],
  dashscope: ['wan2.5-t2v-preview'],
  elevenlabs: ['dubbing_v1', 'eleven_multilingual_v2', 'eleven_flash_v2_5'],
  fal: [
    'fal-ai/flux/dev',
    'fal-ai/flux/schnell',
    'fal-ai/veo3',
    'fal-ai/kling-video/v2/master/text-to-video',
    'fal-ai/whisper',
    'fal-ai/chatterbox/text-to-speech',
  ],
  google: ['veo-3.1-generate-preview', 'veo-3.1-fast-generate-preview', 'veo-2.0-generate-001'],
  kling: ['kling-v2-1-master'],
  heygen: ['avatar', 'cinematic_avatar'],
  leonardo: ['b24e16ff-06e3-43eb-8d33-4416c2d75876', 'MOTION2', 'VEO3'],
  luma: ['ray-2', 'ray-flash-2', 'photon-1', 'photon-flash-1'],
  minimax: ['MiniMax-Hailuo-02'],
  openai: ['o3', 'gpt-5', 'sora-2', 'sora-2-pro'],
  openrouter: ['google/veo-3.1', 'openai/sora-2-pro'],
  replicate: [
    'black-forest-labs/flux-schnell',
    'google/veo-3',
    'openai/whisper',
    'meta/meta-llama-3-8b-instruct',
  ],
  runpod: ['flux-image', 'wan-video', 'whisper-transcript'],
  runway: ['gen4_image', 'gen4_turbo', 'eleven_multilingual_v2'],
  together: ['minimax/video-01-director'],
  xai: ['grok-imagine-video'],
}
