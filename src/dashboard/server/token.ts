const NAME = 'tasksim-token'

/**
 * Moves the token from the address to the session storage of the tab, so that users do not share it with the
 * address.
 */
export function moveTokenFromAddress(): void {
  const url = new URL(location.href)
  const token = url.searchParams.get('token')
  if (token === null) return
  sessionStorage.setItem(NAME, token)
  url.searchParams.delete('token')
  history.replaceState(null, '', url)
}

/** The token of the control API, if known. */
export function token(): string | undefined {
  return sessionStorage.getItem(NAME) ?? undefined
}

export function setToken(value: string): void {
  sessionStorage.setItem(NAME, value)
}

/** Adds the token to a URL that the browser fetches itself, such as an image. */
export function withToken(url: string): string {
  const value = token()
  return value === undefined
    ? url
    : `${url}${url.includes('?') ? '&' : '?'}token=${encodeURIComponent(value)}`
}
