import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Packed } from './pack.js'
import { ENVIRONMENT, printed, run, start, versioned, WORKSHOP } from './workshop.js'

const INSTALL = 'npm install --save-dev tasksim msw'
const INSTALL_BOTH = `${INSTALL} @mswjs/http-middleware`

/** The modules that need an optional package, with the error of Node without that package. */
const NEEDS: Record<string, [module: string, said: string]> = {
  'tasksim/msw': [
    "import 'tasksim/msw'",
    `tasksim/msw needs \`msw\`, which tasksim does not include. Install it: npm install --save-dev msw`,
  ],
  'tasksim/opentelemetry': [
    "import 'tasksim/opentelemetry'",
    'tasksim/opentelemetry needs `@opentelemetry/api`, which tasksim does not include. Install it: npm install --save-dev @opentelemetry/api',
  ],
  listen: [
    "import { createSimulator } from 'tasksim'\nimport { listen } from 'tasksim/express'\nawait listen(createSimulator(), { port: 0, overrides: [] })",
    `The option \`overrides\` needs \`msw\` and \`@mswjs/http-middleware\`, which tasksim does not include. Install them: ${INSTALL_BOTH}`,
  ],
  'a ledger in Redis': [
    "import { createSimulator } from 'tasksim'\nimport { listen } from 'tasksim/express'\nawait listen(createSimulator(), { port: 0, ledger: 'redis://127.0.0.1:1' })",
    'A ledger in Redis needs `@redis/client`, which tasksim does not include. Install it: npm install --save-dev tasksim @redis/client',
  ],
}

const HANDLERS = `import { http, HttpResponse } from 'msw'
export default [http.get('*/tasks', () => HttpResponse.json({ overridden: true }))]`

const MISTAKE = `
import { createSimulator, UsageError } from 'tasksim'
import { handlers } from 'tasksim/msw'

try {
  handlers(createSimulator(), { basUrl: 'https://api.example.com' })
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.log(error.stack)
}`

/** @param folder an installation without optional packages */
export function expectCommandsToInstall(folder: string): void {
  for (const [name, [module, said]] of Object.entries(NEEDS)) {
    writeFileSync(join(folder, 'needs.js'), module)
    expectMessage(name, said, folder, 'node', 'needs.js')
  }
  writeFileSync(join(folder, 'handlers.js'), HANDLERS)
  expectMessage(
    '--handlers',
    `The option --handlers needs \`msw\` and \`@mswjs/http-middleware\`, which tasksim does not include. Install them: ${INSTALL_BOTH}`,
    folder,
    'npx',
    'tasksim',
    '--port',
    '0',
    '--handlers',
    'handlers.js',
  )
  expectMessage(
    '--otel',
    'which tasksim does not include. Install them: npm install --save-dev tasksim @opentelemetry/api @opentelemetry/exporter-metrics-otlp-http',
    folder,
    'npx',
    'tasksim',
    '--port',
    '0',
    '--otel',
  )
}

function expectMessage(name: string, said: string, cwd: string, ...[command = '', ...args]: string[]): void {
  const { status, stderr } = spawnSync(command, args, {
    cwd,
    env: ENVIRONMENT,
    encoding: 'utf8',
    timeout: 30_000,
  })
  if (status !== 1 || !stderr.includes(said))
    throw new Error(`${name} ended with ${status} and said:\n${stderr}`)
}

/** Checks the package after the installation that an error message suggests. */
export function optionalChecks(packed: () => Packed): Record<string, () => Promise<void> | void> {
  const folder = join(WORKSHOP, 'with-msw')
  return {
    async 'with MSW and its middleware beside it, the command puts handlers in front of the API'() {
      mkdirSync(folder)
      writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
      const wanted = ['msw', '@mswjs/http-middleware'].map(versioned)
      run(folder, 'npm', 'install', '--ignore-scripts', packed().file, ...wanted)
      writeFileSync(join(folder, 'handlers.js'), HANDLERS)
      const server = start(folder, 'npx', 'tasksim', 'instant', '--port', '0', '--handlers', 'handlers.js')
      const base = await printed(server, /http:\/\/[\w.]+:\d+\/api\/v1/)
      const answer = await (await fetch(`${base}/tasks`)).json()
      if (answer.overridden !== true) throw new Error(`it answered ${JSON.stringify(answer)}`)
    },

    'with MSW beside it, tasksim/msw can be imported and required'() {
      run(
        folder,
        'node',
        '--input-type=module',
        '-e',
        "import { handlers } from 'tasksim/msw'; handlers.call",
      )
      run(folder, 'node', '--input-type=commonjs', '-e', "require('tasksim/msw').handlers.call")
    },

    'an error of one entry point is an instance of the class of another, and its stack names the source'() {
      const stack = run(folder, 'node', '--enable-source-maps', '--input-type=module', '-e', MISTAKE)
      if (!/handlers \(.*\/src\/hosts\/msw\/handlers\.ts:\d+/.test(stack))
        throw new Error(`the stack is:\n${stack}`)
    },
  }
}
