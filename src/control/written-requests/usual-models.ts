/** Models that the services offer, by dialect, as suggestions. A request may name any other. */
export const USUAL_MODELS: Readonly<Record<string, readonly string[]>> = {
  tasks: ['acme/image-1', 'acme/video-1', 'acme/audio-1', 'acme/llm-1', 'acme/transcript-1', 'acme/tool-1'],
  assemblyai: ['universal', 'slam-1', 'best', 'nano'],
  fal: [
    'fal-ai/flux/dev',
    'fal-ai/flux/schnell',
    'fal-ai/veo3',
    'fal-ai/kling-video/v2/master/text-to-video',
    'fal-ai/whisper',
    'fal-ai/chatterbox/text-to-speech',
  ],
  google: ['veo-3.1-generate-preview', 'veo-3.1-fast-generate-preview', 'veo-2.0-generate-001'],
  luma: ['ray-2', 'ray-flash-2', 'photon-1', 'photon-flash-1'],
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
}
