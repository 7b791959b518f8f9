import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ENVIRONMENT, run, WORKSHOP } from '../package/workshop.js'

/** A Node of its own, apart from the one that runs this. */
export interface OtherNode {
  readonly version: string
  /** Its folder, to stand first in the search path. */
  readonly folder: string
}

const SYSTEM = process.platform === 'win32' ? 'win' : process.platform

/**
 * Installs a Node from the registry of npm, which needs no script.
 * @param range such as 22, the newest of them
 */
export function installNode(range: string): OtherNode {
  const home = join(WORKSHOP, `node-${range}`)
  const name = `node-${SYSTEM}-${process.arch}`
  mkdirSync(home)
  writeFileSync(join(home, 'package.json'), '{"private":true}')
  run(home, 'npm', 'install', '--ignore-scripts', '--no-fund', '--no-audit', `${name}@${range}`)
  const folder = join(home, 'node_modules', name, 'bin')
  const version = execFileSync(join(folder, 'node'), ['--version'], { encoding: 'utf8' }).trim()
  return { version, folder }
}

/** What a shell would hold in which this Node is the only one. */
export function environmentOf({ folder }: OtherNode): NodeJS.ProcessEnv {
  return { ...ENVIRONMENT, PATH: `${folder}${delimiter}${ENVIRONMENT['PATH'] ?? ''}` }
}
