/** What {@link httpUrl} takes, for error messages. */
export const HTTP_URL_FORM =
  'a URL that starts with http:// or https://, with no user name and no port 0 in it'

/**
 * A URL to which a webhook can be sent, in its normal form.
 * @returns undefined where the text is no URL, has another scheme, or holds a password or the port 0
 */
export function httpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, username, password, port, href } = new URL(text)
  const isWeb = protocol === 'http:' || protocol === 'https:'
  // Node takes 0 for no port at all, and would send to another one.
  return isWeb && username === '' && password === '' && port !== '0' ? href : undefined
}
