import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { PYTHON_PRELOAD, preloadVariables } from '../exec/preload.js'
import { type Certificate, selfSigned } from './certificate.js'
import { noProxyEntries, OWN_HOSTS, patternsOf } from './no-proxy.js'
import { nodePreload, PORT_VARIABLE, pythonPreload } from './preloads.js'
import { PrivateFolder } from './private-folder.js'
import type { ServiceHosts } from './service-hosts.js'
import { javaTrustStore, trustedIn } from './trust-stores.js'

/** What an interception is for. */
export interface InterceptionSettings {
  readonly hosts: ServiceHosts
  /** Patterns of further hosts that clients may reach; `*` matches any characters. */
  readonly allowed: readonly string[]
  /** The environment of the user. */
  readonly env: NodeJS.ProcessEnv
  /** How long the certificate is valid. */
  readonly days: number
}

/** The variables that name a file with all trusted certificates. */
const BUNDLE_VARIABLES = [
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'HTTPLIB2_CA_CERTS',
  'AWS_CA_BUNDLE',
  'GIT_SSL_CAINFO',
] as const

/** The variables that name a file with certificates to trust in addition. */
const ADDING_VARIABLES = ['NODE_EXTRA_CA_CERTS', 'DENO_CERT'] as const

/**
 * What makes programs trust one certificate and send their requests for the hosts of services to a port of this machine:
 * the certificate, files in a private folder, and environment variables. Several interceptors may use it.
 */
export class Interception {
  readonly settings: InterceptionSettings
  readonly certificate: Certificate
  /** The secret that clients need to reach allowed hosts through the proxy; undefined without such hosts. */
  readonly secret: string | undefined
  readonly folder = new PrivateFolder()
  /** The variables that do not depend on the port. */
  readonly #variables: Readonly<Record<string, string>>
  readonly #trustStore: string
  readonly #noProxy: readonly string[]

  constructor(settings: InterceptionSettings) {
    const { hosts, allowed, env, days } = settings
    this.settings = settings
    this.certificate = selfSigned(hosts.names, days)
    this.secret = allowed.length === 0 ? undefined : randomBytes(16).toString('hex')
    const kept = noProxyEntries(env, hosts.names)
    this.#noProxy = [...new Set([...kept, ...OWN_HOSTS])]
    const { certificate } = this.certificate
    const file = this.folder.write('certificate.pem', certificate)
    const bundle = `${trustedIn(env['SSL_CERT_FILE'])}\n${certificate}`
    this.#trustStore = this.folder.write('java.jks', javaTrustStore(bundle))
    const passing = [...allowed, ...patternsOf([...kept, ...OWN_HOSTS])]
    this.#variables = {
      ...this.#trust(file),
      ...preloadVariables(env, this.#preloads({ authorities: hosts.authorities, passing }, file)),
      NODE_USE_ENV_PROXY: '1',
      NO_PROXY: this.#noProxy.join(','),
      no_proxy: this.#noProxy.join(','),
    }
  }

  /** The variables of a program, for an interceptor at a port. */
  variables(port: number): Record<string, string> {
    const { env } = this.settings
    const credential = this.secret === undefined ? '' : `tasksim:${this.secret}@`
    const proxy = `http://${credential}127.0.0.1:${port}`
    return {
      ...this.#variables,
      HTTPS_PROXY: proxy,
      https_proxy: proxy,
      [PORT_VARIABLE]: String(port),
      JAVA_TOOL_OPTIONS: [env['JAVA_TOOL_OPTIONS'], ...this.#javaOptions(port)].filter(Boolean).join(' '),
    }
  }

  close(): void {
    this.folder.delete()
  }

  /** The variables of trust. Each keeps what the user has named. */
  #trust(file: string): Record<string, string> {
    const { env } = this.settings
    const { certificate } = this.certificate
    const bundles = new Map<string | undefined, string>()
    const bundleFor = (given: string | undefined) => {
      const known = bundles.get(given)
      const path =
        known ?? this.folder.write(`bundle-${bundles.size}.pem`, `${trustedIn(given)}\n${certificate}`)
      bundles.set(given, path)
      return path
    }
    const added = (name: string) => {
      const given = env[name]
      return given ? this.folder.write(`${name}.pem`, `${textOf(given)}\n${certificate}`) : file
    }
    const { WGETRC: wgetrc = join(homedir(), '.wgetrc'), PHP_INI_SCAN_DIR: php = '' } = env
    const bundle = bundleFor(env['SSL_CERT_FILE'])
    mkdirSync(join(this.folder.path, 'php'))
    this.folder.write('php/tasksim.ini', `curl.cainfo=${bundle}\nopenssl.cafile=${bundle}\n`)
    return {
      ...Object.fromEntries(
        BUNDLE_VARIABLES.map((name) => [name, bundleFor(env[name] || env['SSL_CERT_FILE'])]),
      ),
      ...Object.fromEntries(ADDING_VARIABLES.map((name) => [name, added(name)])),
      WGETRC: this.folder.write('wgetrc', `${textOf(wgetrc)}\nca_certificate = ${bundle}\n`),
      // An empty part stands for the folder that was compiled in.
      PHP_INI_SCAN_DIR: `${php}:${join(this.folder.path, 'php')}`,
    }
  }

  #preloads(rules: Parameters<typeof nodePreload>[0], certificate: string) {
    const python = join(this.folder.path, 'python')
    mkdirSync(python)
    this.folder.write(`python/${PYTHON_PRELOAD}`, pythonPreload(rules, certificate))
    return { node: this.folder.write('preload.cjs', nodePreload(rules)), python }
  }

  #javaOptions(port: number): readonly string[] {
    const direct = [
      ...patternsOf(this.#noProxy.filter((entry) => !OWN_HOSTS.includes(entry))),
      ...JAVA_DEFAULT,
    ]
    const options = {
      'https.proxyHost': '127.0.0.1',
      'https.proxyPort': port,
      'http.nonProxyHosts': direct.join('|'),
      'javax.net.ssl.trustStore': this.#trustStore,
    }
    return Object.entries(options).map(([name, value]) => quoted(`-D${name}=${value}`))
  }
}

/** What Java reaches without a proxy if nothing else is set. */
const JAVA_DEFAULT = ['localhost', '127.*', '[::1]']

/** Java splits its options at spaces. */
function quoted(option: string): string {
  return option.includes(' ') ? `"${option}"` : option
}

/** The text of a file of the user; empty if there is none. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
