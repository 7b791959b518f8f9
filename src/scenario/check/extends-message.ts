/** The message for a scenario that cannot be extended. */
export function extendsMessage(name: string | undefined, why: string): string {
  return `cannot extend ${JSON.stringify(name)}: ${why}`
}
