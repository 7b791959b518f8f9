import { fileTypeOf } from '../../../engine/assets/asset.js'
import type { FileText } from '../../../engine/assets/file-cache.js'
import { toBase64 } from '../../../engine/base64.js'
import { bytesOfTask } from '../../../engine/memory/bytes-of.js'
import { oncePer, Recent } from '../../../engine/recent.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { Call } from '../../call.js'
import type { DialectTable } from '../dialect-table.generated.js'
import { baseOf, type Endpoint, mountForClient } from '../requests/endpoint.js'
import { compileTask, taskTemplates } from '../tasks/task-template.js'
import { TASK_VALUES, type TaskScope } from '../tasks/task-values.js'
import { compileTemplate, isTrue, namesIn, type Read } from '../template/compile.js'
import type { Template } from '../template/template.js'
import { AnswerScope } from './answer-scope.js'

const encoder = new TextEncoder()

/** A text and its bytes. */
export type EncodedText = Pick<FileText, 'text' | 'bytes'>

/** The form of a text about a task. */
interface TextForm {
  /** Another template in place of that of the task. */
  readonly own?: Template | undefined
  /** Whether the client asked for an answer without log lines. */
  readonly hidesLogs?: boolean | undefined
}

/** The texts of each table, so that all operations that show a task in the same form share what is cached. */
const textsOf = oncePer((_: DialectTable) => new Map<string, TaskText>())

/** Returns what writes the tasks of a table in a form. */
export function taskText(
  table: DialectTable,
  { own = '{{task}}', hidesLogs = false }: TextForm = {},
): TaskText {
  const texts = textsOf(table)
  const key = JSON.stringify([own, hidesLogs])
  const text = texts.get(key) ?? new TaskText(table, own, hidesLogs)
  texts.set(key, text)
  return text
}

/** In characters. */
const LONGEST_CACHED = 4_000

/** In bytes. The cache keeps tasks that may have been evicted, and the memory budget does not count them. */
const LARGEST_TASK = 5_000

/** The values that contain URLs of the service. */
const URL_VALUES = ['base', 'stream_url', 'task', 'result']

/**
 * Writes tasks as JSON. It keeps the texts, because clients poll the same unchanged task repeatedly: {@link isCurrent}
 * says how long.
 */
class TaskText {
  readonly #read: Read<AnswerScope>
  readonly #hidesLogs: boolean
  /** Whether the text contains URLs of the service, which begin with `{{base}}`. */
  readonly #hasUrls: boolean
  /** Tasks are immutable. */
  readonly #texts = new Recent<Task, Omit<FileText, 'bytes'>>()

  constructor(table: DialectTable, own: Template, hidesLogs: boolean) {
    this.#read = compileTask(table, own)
    this.#hidesLogs = hidesLogs
    const names = namesIn(taskTemplates(table, own).map(({ template }) => template))
    this.#hasUrls = table.outputs?.url !== undefined || URL_VALUES.some((name) => names.has(name))
  }

  /** The text for the client of a call. */
  of(task: Task, call: Call, endpoint: Endpoint): string {
    const { sim, request } = call
    const given = [
      sim.scenario.outputs,
      this.#hasUrls || task.result !== undefined ? request.origin : '',
      this.#hasUrls ? mountForClient(call, endpoint) : '',
    ]
    const known = this.#texts.get(task)
    if (known !== undefined && isCurrent(known, given, sim.clock.now())) return known.text
    const scope = new AnswerScope(endpoint, task, call)
    scope.hidesLogs = this.#hidesLogs
    const text = this.write(scope)
    if (text.length <= LONGEST_CACHED && bytesOfTask(task) <= LARGEST_TASK)
      this.#texts.set(task, { text, given, until: scope.until })
    return text
  }

  /** The text with other values than usual, which is not kept. */
  write(scope: AnswerScope): string {
    return JSON.stringify(this.#read(scope) ?? {})
  }

  /**
   * The text with data URLs in place of the usual ones; undefined if the client gets the usual ones. It is kept as long
   * as the files.
   * @param search the words to search for
   */
  withFiles(
    task: Task,
    call: Call,
    endpoint: Endpoint,
    search = '',
  ): EncodedText | Promise<EncodedText> | undefined {
    const { sim } = call
    if (!getsDataUrls(endpoint, task, call)) return undefined
    const given = [this, task, sim.scenario.outputs, baseOf(call, endpoint), search]
    const known = sim.files.texts.get(task.id)
    if (known !== undefined && isCurrent(known, given, sim.clock.now())) return known
    return this.#writeWithFiles(task, call, endpoint, given, search)
  }

  async #writeWithFiles(
    task: Task,
    call: Call,
    endpoint: Endpoint,
    given: FileText['given'],
    search: string,
  ): Promise<EncodedText> {
    const urls = await dataUrlsOf(call.sim, task)
    const scope = new AnswerScope(endpoint, task, call, (file) => urls[file] ?? '')
    scope.hidesLogs = this.#hidesLogs
    scope.search = search
    const text = this.write(scope)
    const bytes = encoder.encode(text)
    const written = { text, bytes, given, until: scope.until }
    call.sim.files.texts.set(task.id, written, text.length + bytes.length)
    return written
  }
}

/** Whether a text was written from the same values, and nothing that it shows changes with time before a moment. */
function isCurrent(known: Pick<FileText, 'given' | 'until'>, given: FileText['given'], now: number): boolean {
  if (now >= known.until) return false
  for (let index = 0; index < given.length; index++) if (given[index] !== known.given[index]) return false
  return true
}

/**
 * The output files of a task as data URLs (RFC 2397), in their order, if its client gets them so. Files that are not
 * cached are rendered.
 */
export async function fileDataUrls(
  endpoint: Endpoint,
  task: Task,
  call: Call,
): Promise<readonly string[] | undefined> {
  return getsDataUrls(endpoint, task, call) ? dataUrlsOf(call.sim, task) : undefined
}

/** Whether the client of a call gets the files of a task as data URLs. */
function getsDataUrls(endpoint: Endpoint, task: Task, call: Call): boolean {
  const { sim, request } = call
  if ((task.result?.files ?? 0) === 0 || sim.outputs.isGone(task, sim.clock.now())) return false
  const {
    data_urls: dataUrls,
    data_urls_for: byClient = {},
    data_urls_if: given,
  } = endpoint.table.outputs ?? {}
  if (dataUrls === 'over-http' && !sim.publicOrigin(request.origin).startsWith('https:')) return true
  if (given !== undefined && isTrue(conditionOf(endpoint.table)(new AnswerScope(endpoint, task, call))))
    return true
  const agent = request.header('user-agent') ?? ''
  return Object.entries(byClient).some(
    ([text, kinds]) => kinds.includes(task.baseKind) && agent.includes(text),
  )
}

/** Reads the condition of a table, compiled on first use. */
const conditionOf = oncePer(({ outputs }: DialectTable) =>
  compileTemplate<TaskScope>(outputs?.data_urls_if ?? null, TASK_VALUES),
)

async function dataUrlsOf({ files }: Call['sim'], task: Task): Promise<readonly string[]> {
  const urls: string[] = []
  for (let file = 0; file < (task.result?.files ?? 0); file++) {
    const { bytes } = await files.get(task, file)
    urls.push(`data:${fileTypeOf(task, file).contentType};base64,${toBase64(bytes)}`)
  }
  return urls
}
