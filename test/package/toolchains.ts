import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { ENVIRONMENT } from './workshop.js'

/** A part of the machine that an example needs, beside Node. */
interface Tool {
  /** The package of Debian that contains it. */
  readonly debian: string
  readonly isThere: () => boolean
}

const python = (module: string, debian: string) => ({
  debian,
  isThere: () => runs('python3', '-c', `import ${module}`),
})
const jar = (name: string, debian: string) => ({
  debian,
  isThere: () => existsSync(`/usr/share/java/${name}.jar`),
})

const GO: Tool = { debian: 'golang-go', isThere: () => runs('go', 'version') }

/** What each example needs. */
const TOOLS: Readonly<Record<string, readonly Tool[]>> = {
  'examples/pytest': [python('pytest', 'python3-pytest')],
  'examples/go': [GO],
  'examples/junit': [
    { debian: 'default-jdk-headless', isThere: () => runs('javac', '-version') },
    jar('junit-platform-console', 'junit5'),
    jar('gson', 'libgoogle-gson-java'),
  ],
  'examples/generated-clients': [
    GO,
    { debian: 'default-jre-headless', isThere: () => runs('java', '-version') },
    {
      debian: 'golang-golang-x-oauth2-dev',
      isThere: () => existsSync('/usr/share/gocode/src/golang.org/x/oauth2'),
    },
    python('certifi', 'python3-certifi'),
    python('dateutil', 'python3-dateutil'),
    python('urllib3', 'python3-urllib3'),
  ],
}

/** @throws an error with the command that installs what is missing */
export function requireTools(user: string): void {
  const missing = (TOOLS[user] ?? []).filter(({ isThere }) => !isThere()).map(({ debian }) => debian)
  if (missing.length > 0)
    throw new Error(`${user} cannot run on this machine. Run: apt-get install -y ${missing.join(' ')}`)
}

function runs(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { env: ENVIRONMENT, stdio: 'ignore' }).status === 0
}
