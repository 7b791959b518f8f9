import { spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates a certificate for 127.0.0.1 that signs itself.
 * @returns the path of the certificate, and the options with which Redis uses it
 */
export function createCertificate(): { readonly certificate: string; readonly options: readonly string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'tasksim-tls-'))
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const form = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1']
  const { status, stderr } = spawnSync(
    'openssl',
    ['req', ...form, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`Failed to create a certificate with openssl: ${stderr}`)
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', certificate]
  return { certificate, options: [...files, '--tls-auth-clients', 'no'] }
}
