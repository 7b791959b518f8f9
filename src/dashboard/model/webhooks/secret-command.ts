import { shellWord } from '../../../control/code/curl.js'

/**
 * The command that prints the secret of a webhook, because the server masks secrets.
 * @param scenario the name of the active scenario: a shipped one, or the path of a file
 * @param receiver the URL of the receiver, if it has its own secret; secrets in the URL are masked
 * @returns undefined if the scenario has no name that the command line knows
 */
export function secretCommand(scenario: string, dialect: string, receiver?: string): string | undefined {
  // A scenario that was applied as text or as an object has no file.
  if (scenario === 'inline') return undefined
  const words = [
    ...(scenario === 'default' ? [] : [scenario]),
    ...(dialect === 'tasks' ? [] : ['--dialect', dialect]),
    ...(receiver === undefined ? [] : ['--receiver', receiver]),
  ]
  return ['npx tasksim secret', ...words.map(shellWord)].join(' ')
}
