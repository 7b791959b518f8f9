/** The names of this machine, which programs reach without a proxy. */
export const OWN_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '::1']

/**
 * The entries of the user's NO_PROXY, without those that would keep a client from the interceptor.
 * @param hosts the names of the hosts of services
 */
export function noProxyEntries(env: NodeJS.ProcessEnv, hosts: readonly string[]): readonly string[] {
  const given = (env['NO_PROXY'] ?? env['no_proxy'] ?? '').split(/[\s,]+/).filter((entry) => entry !== '')
  return given.filter((entry) => {
    const domain = domainOf(entry)
    return domain !== '' && !hosts.some((host) => host === domain || host.endsWith(`.${domain}`))
  })
}

/** The patterns of the hosts that entries name: a domain also stands for what is below it. */
export function patternsOf(entries: readonly string[]): readonly string[] {
  return entries.map(domainOf).flatMap((domain) => [domain, `*.${domain}`])
}

/** The domain of an entry such as `.example.com`, `*.example.com` or `example.com:443`; empty for `*`. */
function domainOf(entry: string): string {
  return entry
    .replace(/^\*?\.?/, '')
    .replace(/(?<=\.[a-z]+):\d+$/i, '')
    .toLowerCase()
}
