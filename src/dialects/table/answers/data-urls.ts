import { fileTypeOf } from '../../../engine/assets/asset.js'
import type { FileText } from '../../../engine/assets/file-cache.js'
import type { Awaitable } from '../../../engine/awaitable.js'
import { toBase64 } from '../../../engine/base64.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { Call } from '../../call.js'
import type { DialectTable } from '../dialect-table.generated.js'
import type { OperationPlace } from '../requests/operation-place.js'
import { baseOf } from '../requests/operation-place.js'
import type { Read } from '../template/compile.js'
import { AnswerScope } from './answer-scope.js'

/** Writes an answer about a task with data URLs; undefined if the client gets the usual URLs. */
type DataUrlWriter = (
  task: Task,
  call: Call,
  details: { readonly hidesLogs: boolean } | { readonly search: string },
) => Awaitable<string> | undefined

/**
 * Returns a function that writes answers with data URLs; undefined if a table has no such answers. It keeps each text as
 * long as the files, because clients poll again.
 */
export function dataUrlWriter(
  table: DialectTable,
  place: OperationPlace,
  read: Read<AnswerScope>,
): DataUrlWriter | undefined {
  const { data_urls: dataUrls, data_urls_for: byClient } = table.outputs ?? {}
  if (dataUrls === undefined && byClient === undefined) return undefined
  const clients = Object.entries(byClient ?? {})
  return (task, call, details) => {
    if (!hasFiles(task, call)) return undefined
    if (!(dataUrls === 'over-http' && !isSecure(call)) && !isForClient(clients, task, call)) return undefined
    const { texts } = call.sim.files
    const given = [read, task, call.sim.scenario.outputs, baseOf(call, place), ...Object.values(details)]
    const known = texts.get(task.id)
    if (known !== undefined && isSame(known, given, call)) return known.text
    return dataUrlsOf(call.sim, task).then((urls) => {
      const scope = new AnswerScope(table, call, task, place, (file) => urls[file] ?? '')
      const text = JSON.stringify(read(Object.assign(scope, details)) ?? {})
      texts.set(task.id, { text, given, until: scope.until }, text.length)
      return text
    })
  }
}

function isSame({ given, until }: FileText, values: readonly unknown[], { sim }: Call): boolean {
  return sim.clock.now() < until && values.every((value, index) => value === given[index])
}

function hasFiles(task: Task, { sim }: Call): boolean {
  return (task.result?.files ?? 0) > 0 && !sim.outputs.isGone(task, sim.clock.now())
}

/** Whether URLs of files begin with `https:`. */
function isSecure({ sim, request }: Call): boolean {
  return sim.publicOrigin(request.origin).startsWith('https:')
}

function isForClient(
  clients: readonly (readonly [text: string, kinds: readonly string[]])[],
  { baseKind }: Task,
  { request }: Call,
): boolean {
  const agent = request.header('user-agent') ?? ''
  return clients.some(([text, kinds]) => kinds.includes(baseKind) && agent.includes(text))
}

/** The output files of a task as data URLs (RFC 2397), in their order. Files that are not cached are rendered. */
async function dataUrlsOf({ files }: Call['sim'], task: Task): Promise<readonly string[]> {
  const urls: string[] = []
  for (let file = 0; file < (task.result?.files ?? 0); file++) {
    const { bytes } = await files.get(task, file)
    urls.push(`data:${fileTypeOf(task, file).contentType};base64,${toBase64(bytes)}`)
  }
  return urls
}
