/** Whether an argument is the path of a file, not the name of a shipped scenario. */
export function looksLikePath(argument: string): boolean {
  return /[\\/]|\.(?:ya?ml|json)$/i.test(argument)
}
