/**
 * Lets all that waits be done first, such as requests. Work that consists of promises alone would hold up everything
 * else until it is over. This is no timer: it takes no longer than what waits.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const listener = () => {
      port1.close()
      resolve()
    }
    // The types of Node do not say that its ports have this, as those of browsers do.
    Object.assign(port1, { onmessage: listener })
    port2.postMessage(undefined)
  })
}
