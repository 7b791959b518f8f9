/** Resolves when the process is told to end, by SIGINT or SIGTERM. */
export function interruption(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })
}
