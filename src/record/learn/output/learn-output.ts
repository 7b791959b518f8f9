import type { JsonObject } from '../../../engine/json.js'
import { countMarks } from '../../../kinds/output.js'
import { kindNamed } from '../../../kinds/registry.js'
import type { OutputSample } from './output-samples.js'
import { outputTemplate } from './output-template.js'

/** Fewer outputs may be equal by chance. */
const MIN_OUTPUTS = 5
/** The fields of outputs whose content the kind produces. */
const OWN_FIELDS: Readonly<Record<string, readonly string[]>> = {
  llm: ['finish_reason', 'message', 'usage'],
  transcript: ['srt', 'text', 'vtt', 'words'],
}

/**
 * The template of the outputs of a model.
 * @returns undefined if the outputs have the form that the kind produces, or no form in common
 */
export function learnOutput(kind: string, samples: readonly OutputSample[]): JsonObject | undefined {
  if (samples.length < MIN_OUTPUTS || samples.every(({ output }) => isOwn(kind, output))) return undefined
  const template = outputTemplate(samples)
  // Only kinds of media produce files.
  if (template === undefined || (countMarks(template) > 0 && kindNamed(kind)?.outputOf === undefined))
    return undefined
  return template
}

function isOwn(kind: string, output: JsonObject): boolean {
  const own = kindNamed(kind)?.outputOf?.(1, () => '')
  const fields = own === undefined ? OWN_FIELDS[kind] : Object.keys(own)
  if (fields === undefined) return JSON.stringify(output) === '{"result":{"status":"completed"}}'
  return Object.keys(output).sort().join() === fields.join()
}
