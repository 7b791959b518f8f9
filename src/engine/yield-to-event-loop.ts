/**
 * Yields to the event loop, so that other work such as requests can run. A chain of resolved promises would otherwise
 * block everything else until it ends. This uses no timer, so it adds no delay.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    const listener = () => {
      port1.close()
      resolve()
    }
    // Node's types lack this property, which browsers' types have.
    Object.assign(port1, { onmessage: listener })
    port2.postMessage(undefined)
  })
}
