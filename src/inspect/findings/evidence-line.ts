import { isoTime } from '../../engine/clock/instants.js'
import { maskUrl } from '../../engine/mask.js'
import { maskPatterns } from '../../engine/secret-patterns.js'
import { promptOf } from '../../engine/tasks/input.js'
import type { Task } from '../../engine/tasks/task.js'
import type { Evidence } from './finding.js'
import type { FindingContext } from './finding-context.js'

const MAX_PROMPT_LENGTH = 60

/** Adds the model and the prompt of its task to an occurrence, by which a reader recognizes the task. */
export function withTask(evidence: Evidence, { historyOf }: Pick<FindingContext, 'historyOf'>): Evidence {
  const task = historyOf(evidence.taskId)?.task
  return task === undefined ? evidence : { ...evidence, model: task.model, prompt: shownPrompt(task) }
}

function shownPrompt({ input }: Task): string | undefined {
  const whole = maskPatterns(promptOf(input)).replace(/https?:\S+/gi, maskUrl)
  const line = whole.replace(/[\s\p{Cc}]+/gu, ' ').trim()
  if (line === '') return undefined
  return line.length > MAX_PROMPT_LENGTH ? `${line.slice(0, MAX_PROMPT_LENGTH)}...` : line
}

/** An occurrence in one line: its time on the simulator's clock, its task, the prompt, and what happened. */
export function evidenceLine({ at, taskId, prompt, seen }: Evidence): string {
  const place = [
    isoTime(at).slice('2026-01-01T'.length, -1),
    ...(taskId === undefined ? [] : [taskId]),
    ...(prompt === undefined ? [] : [JSON.stringify(prompt)]),
  ]
  return `${place.join(' ')}: ${seen}`
}
