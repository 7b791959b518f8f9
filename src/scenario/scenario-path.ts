const PATH = /[/\\]|\.(?:ya?ml|jsonl?)$/i

/** Whether a text is the path of a scenario file, not the name of a shipped scenario. */
export function isScenarioPath(text: string): boolean {
  return PATH.test(text)
}
