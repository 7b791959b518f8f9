import { isoTime } from '../../../engine/clock/instants.js'
import type { JsonObject, JsonValue } from '../../../engine/json.js'
import type { LogLine } from '../../../engine/progress/log-lines.js'
import { piecesOf } from '../../../engine/progress/output-parts.js'
import { shownProgress } from '../../../engine/progress/progress-of.js'
import { costOf, toDollars, type Usage } from '../../../engine/tasks/pricing.js'
import type { Task, TaskError } from '../../../engine/tasks/task.js'
import { namesIn, type Read, type Values } from '../template/compile.js'
import type { Template } from '../template/template.js'
import { matchesIn, paragraphsIn, sentencesIn, utterancesIn } from './spoken-parts.js'

/** A task, and everything else that its templates may need. */
export interface TaskScope {
  readonly task: Task
  /** The key of the form of the task: its state, or a variant of the state. */
  readonly form: string
  /** The state in the words of the service. */
  readonly word: string
  /** The codes of errors in the words of the service, by the codes of scenarios. */
  readonly codes: Readonly<Record<string, string>> | undefined
  /** Epoch milliseconds. */
  readonly now: number
  /** The start of all URLs of the service, up to its prefix. */
  base(): string
  /** The URL of the stream of the task; undefined if the service has none. */
  streamUrl(): string | undefined
  /** The output, with URLs. */
  readonly output: JsonObject | undefined
  /** The end of the lifetime of the output, in epoch milliseconds; undefined before the end of the task. */
  expiresAt(): number | undefined
  /** Whether the data of the task are not kept any more. */
  isRemoved(): boolean
  /** From 0 to 1. */
  progress(): number
  logs(): readonly LogLine[]
  /** Whether the client asked for an answer without log lines. */
  readonly hidesLogs?: boolean | undefined
  /** How many tasks wait before this one; undefined if it does not wait. */
  queuePosition(): number | undefined
  /** The forms of files, log lines and results. */
  forms(): TaskForms
  /** Reads the task as answers show it by default, in this scope or one with other values. */
  readonly whole: Read<TaskScope>
  /** The words to search for, separated by commas. */
  readonly search?: string | undefined
}

/** Writes the parts of a task that have a template of their own. */
export interface TaskForms {
  file(task: Task, url: string, index: number): JsonValue
  logLine(line: LogLine): JsonValue
  /** Reads the result of a task, in the form of its kind. */
  readonly result: Read<TaskScope>
}

/** The values in templates of tasks. docs/reference/dialect.md lists them. */
export const TASK_VALUES = {
  id: ({ task }) => task.id,
  model: ({ task }) => task.model,
  kind: ({ task }) => task.kind,
  input: ({ task }) => task.input,
  kept: ({ task }) => task.extra?.['kept'],
  status: ({ word }) => word,
  progress: (scope) => shownProgress(scope.progress()),
  created_at: ({ task }) => isoTime(task.createdAt),
  started_at: ({ task }) => isoTime(task.startedAt),
  completed_at: ({ task }) => isoTime(task.completedAt),
  expires_at: (scope) => isoTime(scope.expiresAt()),
  is_expired: (scope) => (scope.expiresAt() ?? Infinity) <= scope.now,
  now: ({ now }) => isoTime(now),
  queue_ms: (scope) => (scope.task.startedAt ?? latestOf(scope)) - scope.task.createdAt,
  run_ms: (scope) =>
    scope.task.startedAt === undefined ? undefined : latestOf(scope) - scope.task.startedAt,
  total_ms: (scope) => latestOf(scope) - scope.task.createdAt,
  age_ms: ({ task, now }) => now - task.createdAt,
  queue_position: (scope) => scope.queuePosition(),
  log_lines: (scope) => (scope.hidesLogs ? null : scope.logs().map((line) => scope.forms().logLine(line))),
  logs: (scope) =>
    scope
      .logs()
      .map(({ message }) => message)
      .join('\n'),
  output: ({ output }) => output,
  result: (scope) => scope.output && scope.forms().result(scope),
  is_removed: (scope) => scope.isRemoved(),
  files: ({ output }) => output && filesIn(output),
  file_list: (scope) =>
    scope.output && filesIn(scope.output).map((url, index) => scope.forms().file(scope.task, url, index)),
  image: (scope) => fileOfKind(scope, 'image'),
  video: (scope) => fileOfKind(scope, 'video'),
  audio: (scope) => fileOfKind(scope, 'audio'),
  text: ({ output }) => output && textIn(output),
  pieces: ({ output }) => output && piecesIn(output),
  sentences: ({ output }) => output && sentencesIn(output),
  paragraphs: ({ output }) => output && paragraphsIn(output),
  utterances: ({ output }) => output && utterancesIn(output),
  matches: ({ output, search = '' }) => output && matchesIn(output, search),
  match_count: ({ output, search = '' }) =>
    output && matchesIn(output, search).reduce((sum, { count }) => sum + Number(count), 0),
  error: (scope) => scope.task.error && errorOf(scope.task.error, scope.codes),
  cost: ({ task }) => (task.cost === undefined ? undefined : toDollars(task.cost)),
  estimated_cost: ({ task }) => toDollars(costOf(task.plan.price, usageOf(task))),
  seconds: ({ task }) =>
    task.media !== undefined && 'seconds' in task.media ? task.media.seconds : undefined,
  webhook_url: ({ task }) => task.webhookUrl,
  base: (scope) => scope.base(),
  stream_url: (scope) => scope.streamUrl(),
  task: (scope) => scope.whole(scope),
} satisfies Values<TaskScope>

function errorOf({ code, message }: TaskError, codes: TaskScope['codes']): JsonObject {
  const own = codes !== undefined && Object.hasOwn(codes, code) && codes[code]
  return { code: own || code, message }
}

/** The values that exist only with an output. */
const OF_OUTPUT: readonly string[] = [
  'output',
  'files',
  'image',
  'video',
  'audio',
  'text',
  'pieces',
  'sentences',
  'paragraphs',
  'utterances',
  'matches',
  'match_count',
  'task',
  'result',
  'file_list',
]

/** Whether a template reads the output of a task. */
export function needsOutput(template: Template): boolean {
  const names = namesIn(template)
  return OF_OUTPUT.some((name) => names.has(name))
}

/** The end of a task, or now. */
function latestOf(scope: TaskScope): number {
  return scope.task.completedAt ?? scope.now
}

const URL_START = /^(?:https?:\/\/|gs:\/\/|data:)/

/** All texts in an output that are URLs, in their order. */
function filesIn(output: JsonValue): string[] {
  if (typeof output === 'string') return URL_START.test(output) ? [output] : []
  return typeof output === 'object' && output !== null ? Object.values(output).flatMap(filesIn) : []
}

function fileOfKind({ task, output }: TaskScope, kind: string): string | undefined {
  return task.baseKind === kind && output !== undefined ? filesIn(output)[0] : undefined
}

/** The consumption of a task, as far as it is known before the end. */
function usageOf({ media }: Task): Usage {
  if (media === undefined) return {}
  if (media.kind === 'image') return { images: media.count }
  return { seconds: media.seconds * (media.kind === 'video' ? (media.count ?? 1) : 1) }
}

/** The text of an output: that of a transcript, or of a reply. */
function textIn(output: JsonObject): JsonValue | undefined {
  const { text } = output
  return typeof text === 'string' ? text : replyIn(output)
}

/** The text of a reply. */
function replyIn({ message }: JsonObject): JsonValue | undefined {
  return typeof message === 'object' && message !== null && 'content' in message
    ? message['content']
    : undefined
}

/** The pieces in which a language model has written its reply. */
function piecesIn(output: JsonObject): string[] {
  const text = replyIn(output)
  return typeof text === 'string' ? [...piecesOf(text)] : []
}
