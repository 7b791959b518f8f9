import { fileTypeOf } from '../../../engine/assets/asset.js'
import { toBase64 } from '../../../engine/base64.js'
import type { Task } from '../../../engine/tasks/task.js'
import type { Call } from '../../call.js'
import type { DialectTable } from '../model/dialect-table.js'
import type { OperationPlace } from '../requests/operation-place.js'
import { AnswerScope } from './answer-scope.js'

/** Makes the scope of an answer with data URLs; undefined if the client gets the usual URLs. */
type DataUrlScope = (task: Task, call: Call) => Promise<AnswerScope> | undefined

/** Returns a function that makes the scopes of answers with data URLs; undefined if a table has no such answers. */
export function dataUrlScope(table: DialectTable, place: OperationPlace): DataUrlScope | undefined {
  const { data_urls: dataUrls, data_urls_for: byClient } = table.outputs ?? {}
  if (dataUrls === undefined && byClient === undefined) return undefined
  const clients = Object.entries(byClient ?? {})
  return (task, call) => {
    if (!hasFiles(task, call)) return undefined
    if (!(dataUrls === 'over-http' && !isSecure(call)) && !isForClient(clients, task, call)) return undefined
    return dataUrlsOf(call.sim, task).then(
      (urls) => new AnswerScope(table, call, task, place, (file) => urls[file] ?? ''),
    )
  }
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
