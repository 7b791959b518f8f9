/**
 * A URL to which a webhook can be sent, in its normal form.
 * @returns undefined where the text is no URL, has another scheme, or holds a password
 */
export function httpUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, username, password, href } = new URL(text)
  const isUsable = (protocol === 'http:' || protocol === 'https:') && username === '' && password === ''
  return isUsable ? href : undefined
}
