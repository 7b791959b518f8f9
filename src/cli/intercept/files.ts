import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { PYTHON_PRELOAD } from '../exec/preload.js'
import { nodePreload } from './preloads/node.js'
import { pythonPreload } from './preloads/python.js'
import { rubyPreload } from './preloads/ruby.js'
import type { PreloadRules } from './preloads/rules.js'
import type { PrivateFolder } from './private-folder.js'
import { javaTrustStore, trustedIn } from './trust-stores.js'

/** The variables that name a file with all trusted certificates. */
const BUNDLES = [
  'SSL_CERT_FILE',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'HTTPLIB2_CA_CERTS',
  'AWS_CA_BUNDLE',
  'GIT_SSL_CAINFO',
] as const

/** The variables that name a file with certificates to trust in addition. */
const ADDITIONS = ['NODE_EXTRA_CA_CERTS', 'DENO_CERT'] as const

/** The paths of the files of an interception. */
export interface InterceptionFiles {
  /** Those of certificates, by the variable that names each. */
  readonly certificates: Readonly<Record<string, string>>
  readonly java: string
  readonly wgetrc: string
  /** The folder with the settings of PHP. */
  readonly php: string
  readonly node: string
  /** The folder with the preload of Python. */
  readonly python: string
  readonly ruby: string
}

/**
 * Writes the files that make programs trust a certificate, besides what they already trust, and the preloads.
 * @param certificate PEM
 * @param env the environment of the user, which may name files of the same kinds
 */
export function writeFiles(
  folder: PrivateFolder,
  certificate: string,
  env: NodeJS.ProcessEnv,
  rules: PreloadRules,
): InterceptionFiles {
  const own = folder.write('certificate.pem', certificate)
  const bundles = new Map<string, string>()
  const bundleOf = (name: string) => {
    const given = env[name] || env['SSL_CERT_FILE'] || ''
    const path = bundles.get(given) ?? folder.write(`${name}.pem`, `${trustedIn(given)}\n${certificate}`)
    bundles.set(given, path)
    return path
  }
  const additionOf = (name: string) => {
    const given = env[name]
    return given ? folder.write(`${name}.pem`, `${textOf(given)}\n${certificate}`) : own
  }
  const bundle = bundleOf('SSL_CERT_FILE')
  return {
    certificates: {
      ...Object.fromEntries(BUNDLES.map((name) => [name, bundleOf(name)])),
      ...Object.fromEntries(ADDITIONS.map((name) => [name, additionOf(name)])),
    },
    java: folder.write('java.jks', javaTrustStore(readFileSync(bundle, 'utf8'))),
    wgetrc: folder.write(
      'wgetrc',
      `${textOf(env['WGETRC'] || join(homedir(), '.wgetrc'))}\nca_certificate = ${bundle}\n`,
    ),
    php: folder.writeIn('php', 'tasksim.ini', `curl.cainfo="${bundle}"\nopenssl.cafile="${bundle}"\n`),
    node: folder.write('preload.cjs', nodePreload(rules)),
    python: folder.writeIn('python', PYTHON_PRELOAD, pythonPreload(rules, own)),
    ruby: folder.write('preload.rb', rubyPreload(rules)),
  }
}

/** The text of a file of the user; empty if there is none. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
