import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { PrivateFolder } from '../../../src/cli/intercept/private-folder.js'

it('only this user can read the folder, and its deletion removes all files', () => {
  const folder = new PrivateFolder()
  onTestFinished(() => folder.delete())
  expect(statSync(folder.path).mode & 0o777).toBe(0o700)
  const file = folder.write('certificate.pem', 'text')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  folder.delete()
  expect(existsSync(folder.path)).toBe(false)
})

it('a new folder deletes those of processes that were killed, and of no others', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  const [abandoned, other] = [`tasksim-intercept-${pid}-a`, `tasksim-intercept-${process.ppid}-b`].map(
    (name) => join(tmpdir(), name),
  ) as [string, string]
  onTestFinished(() => rmSync(other, { recursive: true, force: true }))
  for (const path of [abandoned, other]) mkdirSync(path)
  const folder = new PrivateFolder()
  onTestFinished(() => folder.delete())
  expect([existsSync(abandoned), existsSync(other)]).toEqual([false, true])
})
