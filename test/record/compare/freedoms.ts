import type { Freedom } from './mutations.js'

type Fields = Pick<Freedom, 'free' | 'optional' | 'event' | 'rejected'>

/** What a comparison does not tell, by the dialect: inputs and outputs, and the fields that depend on the order. */
export const FREEDOMS: Readonly<Record<string, Fields>> = {
  tasks: { free: /(^|\.)(input|output)$|^error(\.|$)/, optional: /cost_usd$|^error\.param$/, event: 'event' },
  fal: {
    free: /^payload|^images|^prompt|requests\/[^/]+$/,
    optional: /^(response|status|cancel)_url$|^payload|^images|^prompt/,
    event: 'status',
  },
  luma: { free: /(^|\.)request$|request\./, optional: /assets(\.image)?$|request\./ },
  runway: { free: /^output/, optional: /^output|^cost|^failure/ },
  openrouter: { free: /^$^/, event: 'type' },
  openai: {
    free: /(^|\.)(output|usage|text|metadata)(\.|\[|$)|^(background|parallel_tool_calls|service_tier|store|temperature|tool_choice|tools|top_logprobs|top_p|truncation)$/,
    // Rejections with some codes have none.
    optional: /^error\.type$/,
    event: 'type',
  },
  google: { free: /generatedSamples/, optional: /^done$|^response$|generatedSamples/, event: 'type' },
  assemblyai: { free: /^\/v2\/transcript(\/[^/]+)?$|audio_url$/, optional: /audio_url$/ },
  replicate: {
    free: /(^|\.)(input|output|version)$|urls\.stream$|input\./,
    optional: /(^|\.)webhook$|urls\.stream$|predict_time$/,
  },
  stability: { free: /^(image|seed)$/, optional: /^image$|^seed$/ },
  together: { free: /^size$/, optional: /^seconds$|^outputs/ },
  xai: { free: /^$^/, optional: /^progress$|^video\.duration$|^usage/ },
  ark: {
    free: /(^|\.)(seed|resolution|ratio|service_tier|execution_expires_after)$/,
    optional: /duration$|usage/,
  },
  bfl: { free: /^result\.(prompt|seed)$/, optional: /^progress$|^result\./ },
  dashscope: { free: /orig_prompt$/, optional: /orig_prompt$|video_url$|^usage/ },
  elevenlabs: { free: /^$^/, optional: /source_language|media_metadata/ },
  kling: { free: /task_info/, optional: /task_info|videos|deduction/ },
  heygen: { free: /title$/, optional: /callback_id$|video_url$|duration$/ },
  leonardo: {
    free: /prompt$|image(Height|Width)$|generated_images|data\.object/,
    optional: /generated_images|data\.object/,
  },
  minimax: { free: /^$^/, optional: /download_url$/, rejected: 'base_resp' },
  runpod: { free: /^(input|output)/, optional: /^output/ },
}
