/** Stores the changes of a simulator. Responses and webhooks wait for the changes that they depend on. */
export interface StateWriter {
  /**
   * Waits until all present changes are stored.
   * @returns whether output may leave
   */
  stored(): Promise<boolean> | boolean
}

/** Where responses and webhooks wait until what they depend on is stored. Without a writer, nothing waits. */
export class OutputGate {
  /** Stores the changes of the simulator, if anything does. */
  writer: StateWriter | undefined

  /**
   * Waits until all present changes are stored.
   * @returns undefined without a writer; otherwise whether output may leave
   */
  pass(): Promise<boolean> | undefined {
    return this.writer === undefined ? undefined : whenReported(this.writer)
  }
}

/** Waits until all listeners of the present event have reported their changes. */
async function whenReported(writer: StateWriter): Promise<boolean> {
  await undefined
  return writer.stored()
}
