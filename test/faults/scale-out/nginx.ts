import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../../support/check.js'
import { end, freePort, launch } from '../../support/processes.js'
import { nginxConfiguration } from './nginx-configuration.js'

/** nginx with the configuration of the example, on free ports. */
export interface Nginx {
  /** The origin for all clients. */
  readonly origin: string
  /** The origins of the partitions a and b. */
  readonly partitions: readonly string[]
  close(): Promise<void>
}

/**
 * Starts nginx.
 * @param servers the servers, by their host names in the example
 */
export async function startNginx(
  servers: Readonly<Record<string, { readonly port: number }>>,
): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'tasksim-nginx-'))
  const ports = [await freePort(), await freePort(), await freePort()]
  writeFileSync(join(folder, 'nginx.conf'), nginxConfiguration(ports, servers, folder))
  const child = spawnNginx(folder)
  const [origin = '', ...partitions] = ports.map((port) => `http://127.0.0.1:${port}`)
  await eventually('nginx listens', async () => {
    if (child.exitCode !== null) throw new Error(readFileSync(join(folder, 'error.log'), 'utf8'))
    return (await fetch(`${origin}/_sim/`).catch(() => undefined))?.status === 421
  })
  return {
    origin,
    partitions,
    async close() {
      await end(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Starts a single process, without a master process that must end the others. */
function spawnNginx(folder: string): ChildProcess {
  const settings = `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;`
  const words = ['-p', folder, '-c', 'nginx.conf', '-e', join(folder, 'error.log'), '-g', settings]
  return launch('nginx', words, { stdio: 'ignore' })
}
