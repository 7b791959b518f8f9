import type * as v from 'valibot'
import { audioOutput } from './audio/output-schema.js'
import { imageOutput } from './image/output-schema.js'
import { llmOutput } from './llm/output-schema.js'
import type { BuiltInKind } from './registry.js'
import { toolOutput } from './tool/output-schema.js'
import { transcriptOutput } from './transcript/output-schema.js'
import { videoOutput } from './video/output-schema.js'

/** The default output of each kind, for the OpenAPI document. It is separate because only the document needs it. */
export const OUTPUT_SCHEMAS: Readonly<Record<BuiltInKind, v.GenericSchema>> = {
  image: imageOutput,
  video: videoOutput,
  audio: audioOutput,
  transcript: transcriptOutput,
  // The output of a tool accepts any fields in `result`, so it comes last.
  llm: llmOutput,
  tool: toolOutput,
}
