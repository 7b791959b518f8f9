import type { UploadedOutputs } from '../../dialects/table/dialect-table.generated.js'
import { baseOf, type Endpoint } from '../../dialects/table/requests/endpoint.js'
import { ownFileUrl } from '../../dialects/table/tasks/task-parts.js'
import { fileTypeOf } from '../../engine/assets/asset.js'
import { digestOfBytes } from '../../engine/digest.js'
import type { ServiceExchange } from '../operation.js'
import type { OwnUpload } from './upload-form.js'

/**
 * The first output file of a task in the form of an upload, for services that list both together.
 * @param id of the task
 * @returns undefined if there is no such file
 */
export async function outputAsUpload(
  exchange: ServiceExchange,
  id: string,
  { processing = 0 }: UploadedOutputs,
  endpoint: Endpoint,
): Promise<OwnUpload | undefined> {
  const { sim, key, dialect, request } = exchange
  const [task, now] = [sim.tasks.get(id), sim.clock.now()]
  if (task?.owner !== key || task.dialect !== dialect.name) return undefined
  if (task.result === undefined || task.result.files === 0 || sim.outputs.isGone(task, now)) return undefined
  const { bytes } = await sim.files.get(task, 0)
  const createdAt = task.completedAt ?? task.createdAt
  const url =
    ownFileUrl(endpoint.table, { task, index: 0, base: () => baseOf(exchange, endpoint) }) ??
    sim.outputs.urlOf(task, 0, sim.publicOrigin(request.origin), now)
  const { contentType, extension } = fileTypeOf(task, 0)
  const upload = {
    ...{ id, owner: key, dialect: dialect.name, name: `0.${extension}`, contentType, bytes },
    kept: task.extra?.['kept'],
    sha256: await digestOfBytes(bytes),
    ...{ isAnnounced: false, isComplete: true, identity: 0, createdAt },
    expiresAt: sim.outputs.expiryOf(task) ?? Infinity,
    readyAt: createdAt + processing,
  }
  return { upload, url, outputUrl: url }
}
