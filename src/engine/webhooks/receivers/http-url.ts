/** The maximum number of characters of a URL. Longer ones would fill the memory, which the budget does not count. */
export const LONGEST_URL = 2_000

/** The URLs that {@link httpUrl} accepts, for error messages. */
export const HTTP_URL_FORM =
  'a URL that starts with http:// or https://, with no user name and no port 0 in it'

/**
 * Normalizes a URL to which a webhook can be sent.
 * @returns undefined if the text is not a URL, is too long, or has another scheme, a user name, a password or port 0
 */
export function httpUrl(text: string): string | undefined {
  if (text.length > LONGEST_URL || !URL.canParse(text)) return undefined
  const { protocol, username, password, port, href } = new URL(text)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  // Node ignores port 0 and would send to the default port.
  return isWeb && username === '' && password === '' && port !== '0' ? href : undefined
}
