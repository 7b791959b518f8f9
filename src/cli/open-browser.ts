import { spawn } from 'node:child_process'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Opens a page in the browser of the user, except in CI.
 * @param onFailure called with the reason if the page cannot be opened
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

/** Opens the dashboard in the browser of the user, except in CI. */
export function openDashboard(url: string): void {
  openBrowser(url, (reason) => {
    process.stderr.write(`tasksim: Cannot open a browser (${reason}). Open ${url} yourself.\n`)
  })
}

/** The program of the platform that opens a URL in a browser. */
export function openerOf(platform: NodeJS.Platform): [command: string, ...args: string[]] {
  if (platform === 'darwin') return ['open']
  // `start` is not an alternative: cmd would interpret the & of a query.
  return platform === 'win32' ? ['rundll32', 'url.dll,FileProtocolHandler'] : ['xdg-open']
}

function isCi({ CI = '' }: Environment): boolean {
  return !['', '0', 'false'].includes(CI)
}
