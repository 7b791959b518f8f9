import { startReceiver } from '../../support/receiver.js'

/**
 * Runs a receiver at `/hooks` and at every other path.
 * @param statusOf the status of the answer to the n-th webhook, from 1
 */
export async function withReceiver(
  use: (url: string, bodies: readonly string[]) => Promise<void>,
  statusOf?: (number: number, path: string) => number,
): Promise<void> {
  const { url, bodies, close } = await startReceiver(statusOf)
  try {
    await use(url, bodies)
  } finally {
    close()
  }
}
