import type { Kind } from '../../engine/tasks/task.js'
import type { Scenario } from '../../scenario/model/scenario.js'

/** A model of each kind. */
const EXAMPLES: Readonly<Record<Kind, string>> = {
  image: 'example/image',
  video: 'example/video',
  audio: 'example/audio',
  tool: 'example/tool',
  llm: 'example/chat',
}

/**
 * The models that the scenario lists, where a pattern stands for one model that it matches, and one of each kind
 * of which it says something; one of each kind at all, where it says nothing of either.
 */
export function modelsOf({ models, kinds }: Scenario): string[] {
  const listed = Object.keys(models).map((pattern) => pattern.replaceAll('*', 'example'))
  const told = Object.keys(kinds).map((kind) => EXAMPLES[kind as Kind])
  return listed.length + told.length > 0 ? [...listed, ...told] : Object.values(EXAMPLES)
}
