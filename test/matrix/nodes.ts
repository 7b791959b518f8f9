import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ENVIRONMENT, run, WORKSHOP } from '../package/workshop.js'

/** A Node installation apart from the one that runs this script. */
export interface OtherNode {
  readonly version: string
  /** Its folder, for the start of PATH. */
  readonly folder: string
}

const SYSTEM = process.platform === 'win32' ? 'win' : process.platform

/**
 * Installs a Node from the npm registry, without an install script.
 * @param range such as 22, for the newest version 22
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

/** Returns the environment of a shell that finds only this Node. */
export function environmentOf({ folder }: OtherNode): NodeJS.ProcessEnv {
  return { ...ENVIRONMENT, PATH: `${folder}${delimiter}${ENVIRONMENT['PATH'] ?? ''}` }
}
