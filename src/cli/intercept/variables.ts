import { delimiter } from 'node:path'
import { preloadVariables } from '../exec/preload.js'
import type { InterceptionFiles } from './files.js'
import { PORT_VARIABLE } from './preloads/rules.js'

/** How programs reach an interceptor. */
interface ProxyAddress {
  readonly port: number
  /** What only programs with these variables know; undefined if the proxy needs no secret. */
  readonly secret: string | undefined
  /** The hosts that programs reach without the proxy. */
  readonly noProxy: readonly string[]
}

/**
 * The variables that lead programs to an interceptor, in all languages.
 * @param env the environment of the user, whose own settings are kept
 */
export function variablesFor(
  files: InterceptionFiles,
  env: NodeJS.ProcessEnv,
  { port, secret, noProxy }: ProxyAddress,
): Record<string, string> {
  const proxy = `http://${secret === undefined ? '' : `tasksim:${secret}@`}127.0.0.1:${port}`
  return {
    HTTPS_PROXY: proxy,
    https_proxy: proxy,
    NO_PROXY: noProxy.join(','),
    no_proxy: noProxy.join(','),
    ...files.certificates,
    ...preloadVariables(env, files),
    NODE_USE_ENV_PROXY: '1',
    RUBYOPT: extended(env['RUBYOPT'], [`-r${files.ruby}`]),
    WGETRC: files.wgetrc,
    // An empty part stands for the folder that was compiled in.
    PHP_INI_SCAN_DIR: `${env['PHP_INI_SCAN_DIR'] ?? ''}${delimiter}${files.php}`,
    JAVA_TOOL_OPTIONS: extended(env['JAVA_TOOL_OPTIONS'], javaOptions(files.java, port, noProxy)),
    [PORT_VARIABLE]: String(port),
  }
}

function extended(given: string | undefined, options: readonly string[]): string {
  return [given, ...options].filter(Boolean).join(' ')
}

/** What Java reaches without a proxy if nothing else is set. */
const JAVA_DEFAULT = ['localhost', '127.*', '[::1]']

/** Java does not send the secret of a proxy to open a tunnel, so it gets none. */
function javaOptions(trustStore: string, port: number, noProxy: readonly string[]): readonly string[] {
  const direct = patternsOf(noProxy.filter((entry) => !OWN_HOSTS.includes(entry)))
  const options = {
    'https.proxyHost': '127.0.0.1',
    'https.proxyPort': port,
    'http.nonProxyHosts': [...direct, ...JAVA_DEFAULT].join('|'),
    'javax.net.ssl.trustStore': trustStore,
  }
  // Java splits its options at spaces.
  return Object.entries(options).map(([name, value]) => {
    const option = `-D${name}=${value}`
    return option.includes(' ') ? `"${option}"` : option
  })
}

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
