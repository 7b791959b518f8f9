const NAME = 'tasksim-token'

/**
 * Takes the token out of the address that the page was opened with, so that it is not copied or kept with it, and
 * remembers it for as long as the tab lives.
 */
export function adoptToken(): void {
  const url = new URL(location.href)
  const token = url.searchParams.get('token')
  if (token === null) return
  sessionStorage.setItem(NAME, token)
  url.searchParams.delete('token')
  history.replaceState(null, '', url)
}

/** What the control API wants to be shown, where it wants something. */
export function token(): string | undefined {
  return sessionStorage.getItem(NAME) ?? undefined
}

export function setToken(value: string): void {
  sessionStorage.setItem(NAME, value)
}

/** Puts the token on a URL that the browser fetches by itself, such as a picture's. */
export function withToken(url: string): string {
  const value = token()
  return value === undefined
    ? url
    : `${url}${url.includes('?') ? '&' : '?'}token=${encodeURIComponent(value)}`
}
