import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Check, eventually, expectThat } from '../../support/check.js'
import { freePort } from '../../support/processes.js'
import { SQLITE, startLeader } from './ledgers.js'
import { Traffic } from './traffic.js'

const DISK_SIZE = '8m'
const CHUNK = new Uint8Array(64 * 1024)

/** Fills the disk of a ledger while clients create tasks. */
export const fullDisk: Check = {
  title:
    'a full disk: nothing is acknowledged that is not stored, and the server continues when there is space',
  async run(figure) {
    const disk = mountDisk()
    if (disk === undefined) {
      figure('skipped: this user may not mount a small file system (mount -t tmpfs)')
      return
    }
    const { node, close } = await SQLITE.open()
    const port = await freePort()
    const traffic = new Traffic(port)
    const server = await startLeader(node, ['instant', '--ledger', join(disk, 'state.db')], { port })
    try {
      for (let create = 0; create < 20; create++) await traffic.create()
      const ballast = join(disk, 'ballast')
      fill(ballast)
      await eventually('a request is refused', async () => {
        await traffic.create()
        return traffic.refused > 0
      })
      const stored = traffic.tasks.length
      await traffic.create()
      expectThat(traffic.tasks.length === stored, 'Expected that nothing is acknowledged on a full disk')
      rmSync(ballast)
      await eventually('tasks are created again', async () => {
        await traffic.create()
        return traffic.tasks.length > stored
      })
      await server.kill()
      await server.restart()
      for (const task of traffic.tasks) await traffic.poll(task)
      expectThat(traffic.contradictions.length === 0, traffic.contradictions.join('; '))
      figure(`${traffic.tasks.length} tasks acknowledged, ${traffic.refused} requests refused`)
    } finally {
      await server.kill()
      await traffic.stop()
      await close()
      spawnSync('umount', [disk])
      rmSync(disk, { recursive: true })
    }
  },
}

/** @returns the path of a small file system; undefined if this user may not mount one */
function mountDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'tasksim-disk-'))
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE}`, 'tmpfs', folder])
  if (status === 0) return folder
  rmSync(folder, { recursive: true })
  return undefined
}

function fill(path: string): void {
  writeFileSync(path, '')
  for (const chunk of [CHUNK, CHUNK.subarray(0, 512)]) {
    try {
      for (;;) appendFileSync(path, chunk)
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOSPC') throw error
    }
  }
}
