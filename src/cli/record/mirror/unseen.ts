import type { Dialect } from '../../../dialects/dialect.js'
import { allTables } from '../../../dialects/table/tasks/objects.js'
import type { MirroredService } from '../../../engine/mirrored-service.js'

const DOWNLOADS = 'The proxy does not see downloads of output files, because they come from other hosts.'
const WEBHOOKS =
  'The service sends webhooks to the client and not through the proxy. Pass --public-url to see them.'
const FORGERIES = 'Only a simulated service loses webhooks and sends forged ones.'

/**
 * Why a proxy does not see some actions of a client.
 * @param seesWebhooks whether the webhooks of tasks pass through the proxy
 */
export function unseenBy(seesWebhooks: boolean, sendsWebhooks: boolean): MirroredService['unseen'] {
  const isHidden = sendsWebhooks && !seesWebhooks
  return { downloads: DOWNLOADS, forgeries: FORGERIES, ...(isHidden && { webhooks: WEBHOOKS }) }
}

/** Whether a service has receivers that no create request names: a setting of the account, or of another request. */
export function hasOtherReceivers({ table }: Dialect): boolean {
  const isSetting = allTables(table).some(({ webhook }) => webhook !== undefined && webhook.url === undefined)
  return isSetting || table.operations.some(({ action }) => action === 'create_receiver')
}
