import { spawn } from 'node:child_process'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Opens a page with the opener of the platform. Does nothing in CI, where nobody would see it.
 * @param onFailure hears why it could not be opened
 */
export function openBrowser(
  url: string,
  onFailure: (reason: string) => void,
  env: Environment = process.env,
): void {
  if (isCi(env)) return
  const [command, ...args] = openerOf(process.platform)
  const opener = spawn(command, [...args, url], { stdio: 'ignore', detached: true, windowsHide: true })
  opener.once('error', ({ message }) => onFailure(message))
  opener.once('exit', (status) => {
    if (status) onFailure(`${command} ended with status ${status}`)
  })
  opener.unref()
}

/** The program that opens a page in the browser of the user. */
export function openerOf(platform: NodeJS.Platform): [command: string, ...args: string[]] {
  if (platform === 'darwin') return ['open']
  // Not `start`, which is a part of cmd and would read the & of a query as its own.
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open']
}

function isCi({ CI = '' }: Environment): boolean {
  return !['', '0', 'false'].includes(CI)
}
