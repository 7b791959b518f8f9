/** Lets responses and webhooks out as soon as everything that they depend on is stored. */
export interface Keeper {
  /**
   * Waits until all present changes are stored.
   * @returns whether output may leave
   */
  stored(): Promise<boolean> | boolean
}

/** Where responses and webhooks wait until what they depend on is stored. Without a keeper, nothing waits. */
export class OutputGate {
  /** Stores the changes of the simulator, if anything does. */
  keeper: Keeper | undefined

  /**
   * Waits until all present changes are stored.
   * @returns undefined without a keeper; otherwise whether output may leave
   */
  pass(): Promise<boolean> | undefined {
    return this.keeper === undefined ? undefined : whenReported(this.keeper)
  }
}

/** Waits until all listeners of the present event have reported their changes. */
async function whenReported(keeper: Keeper): Promise<boolean> {
  await undefined
  return keeper.stored()
}
