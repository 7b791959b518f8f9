const PATH = /[/\\]|\.(?:ya?ml|jsonl?)$/i

/** Whether a text is the path of a scenario file, not the name of a shipped scenario. */
export function isScenarioPath(text: string): boolean {
  return PATH.test(text)
}

/** The message for a scenario that cannot be extended. */
export function extendsMessage(name: string | undefined, why: string): string {
  return `cannot extend ${JSON.stringify(name)}: ${why}`
}
