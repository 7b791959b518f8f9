/** Whether an argument means a file rather than a shipped scenario. */
export function looksLikePath(argument: string): boolean {
  return /[\\/]|\.(?:ya?ml|json)$/i.test(argument)
}
