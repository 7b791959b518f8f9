import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version of each tool that the comparison page describes. */
const TOOLS: Readonly<Record<string, string>> = {
  '@copilotkit/aimock': '1.43.0',
  '@mockoon/cli': '9.9.0',
}

/** Installs the tools into a folder. @returns their names with their versions */
export function install(folder: string): string[] {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const names = Object.entries(TOOLS).map(([name, version]) => `${name}@${version}`)
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...names], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return names
}
