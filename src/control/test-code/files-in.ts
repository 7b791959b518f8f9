/** The URLs of the files in the output of a task, in their order. */
export function filesIn(output: unknown): string[] {
  return JSON.stringify(output ?? null).match(/https?:\/\/[^"\\]+\/files\/[^"\\]+/g) ?? []
}
