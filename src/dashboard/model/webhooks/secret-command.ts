import { shellWord } from '../../../control/code/curl.js'

/** What a signing secret depends on. */
interface SecretPlace {
  /** The name of the active scenario: a shipped one, or the path of a file. */
  readonly scenario: string
  /** The wire format of the webhook. */
  readonly dialect: string
  /** The URL of the receiver, which may have its own secret; secrets in it are masked. */
  readonly receiver?: string | undefined
}

/**
 * The command that prints the secret of a webhook, because the server masks secrets.
 * @returns undefined if the scenario has no name that the command line knows
 */
export function secretCommand({ scenario, dialect, receiver }: SecretPlace): string | undefined {
  // A scenario that was applied as text or as an object has no file.
  if (scenario === 'inline') return undefined
  const words = [
    ...(scenario === 'default' ? [] : [scenario]),
    ...(dialect === 'tasks' ? [] : ['--dialect', dialect]),
    ...(receiver === undefined ? [] : ['--receiver', receiver]),
  ]
  return ['npx tasksim secret', ...words.map(shellWord)].join(' ')
}
