import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import type { Check } from '../support/check.js'
import { freePort } from '../support/processes.js'
import { Server } from '../support/server.js'
import { executeDockerfile, type Stage } from './dockerfile.js'
import { writeStandIn } from './testcontainers.js'
import { ENVIRONMENT, ROOT, reachable, run, WORKSHOP } from './workshop.js'

const DOCKERFILE = 'examples/docker/Dockerfile'
const LONGEST_SHUTDOWN = 1_000
/** An engine starts a process and reports its end. */
const LONGEST_SHUTDOWN_IN_ENGINE = 5_000

/** A server that runs as the image says. */
interface Container {
  /** The origin of the server. */
  readonly origin: string
  /** Runs the health check of the image until it succeeds. */
  expectHealthy(): Promise<void>
  /** Sends SIGTERM, and returns the exit status. */
  stop(): Promise<number | null>
}

/** How the image is built and run. */
interface Engine {
  readonly name: string
  readonly longestShutdown: number
  build(): void
  run(words: readonly string[]): Promise<Container>
  /** Makes `testcontainers` available in a folder, and returns the name of the image. */
  provideTestcontainers(folder: string): string
}

/** Builds and runs the image of examples/docker: with Docker or Podman if an engine runs, otherwise its steps. */
export function dockerChecks(): Record<string, Check['run']> {
  const program = ['docker', 'podman'].find((name) => spawnSync(name, ['info']).status === 0)
  const engine = program === undefined ? withoutEngine() : withEngine(program)
  const expectServer = async (...words: string[]) => {
    const container = await engine.run(words)
    await container.expectHealthy()
    // A client that keeps its connection open does not delay the shutdown.
    const held = await fetch(`${container.origin}/_sim/stream`, { headers: { authorization: 'Bearer x' } })
    const begin = performance.now()
    const status = await container.stop()
    await held.body?.cancel().catch(() => undefined)
    if (status !== 0) throw new Error(`it ended with ${status}`)
    if (performance.now() - begin > engine.longestShutdown)
      throw new Error(`it took more than ${engine.longestShutdown} ms to end`)
  }
  return {
    [`the image is built ${engine.name}`]: () => engine.build(),

    'what the image runs is up at once, is found healthy, and ends within a second of SIGTERM'() {
      return expectServer()
    },

    'the compose file starts that image with words that it understands'() {
      const { services } = parse(readFileSync(join(ROOT, 'examples/docker/compose.yaml'), 'utf8'))
      return expectServer(...services.tasksim.command)
    },

    'the Testcontainers example runs that image'() {
      const folder = join(WORKSHOP, 'testcontainers')
      mkdirSync(folder)
      cpSync(join(ROOT, 'examples/testcontainers/tasksim.test.js'), join(folder, 'tasksim.test.js'))
      writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
      const image = engine.provideTestcontainers(folder)
      run(folder, 'env', `TASKSIM_IMAGE=${image}`, 'node', '--test')
    },
  }
}

/** Executes the steps of the Dockerfile on this machine. */
function withoutEngine(): Engine {
  let stage: Stage | undefined
  return {
    name: 'step by step, without an engine',
    longestShutdown: LONGEST_SHUTDOWN,
    build() {
      stage = executeDockerfile(join(ROOT, DOCKERFILE), ROOT, join(WORKSHOP, 'image'))
    },
    async run(words) {
      if (stage === undefined) throw new Error('the image is not built')
      const { folder, command, healthCheck } = stage
      // The words of the user replace those of CMD, the last one.
      const all = words.length === 0 ? command : [...command.slice(0, -1), ...words]
      const [program = '', ...args] = all
      const server = await Server.start(args, { command: [program], cwd: folder, env: ENVIRONMENT })
      const [checker = '', ...check] = healthCheck.map((word) => word.replace(':4010/', `:${server.port}/`))
      return {
        origin: server.origin,
        expectHealthy: async () => void run(folder, checker, ...check),
        stop: () => server.stop(),
      }
    },
    provideTestcontainers(folder) {
      if (stage === undefined) throw new Error('the image is not built')
      // Without the last word, that of CMD.
      writeStandIn(folder, stage.command.slice(0, -1))
      return 'tasksim'
    },
  }
}

/** Builds and runs the image with Docker or Podman. */
function withEngine(program: string): Engine {
  const image = basename(WORKSHOP).toLowerCase()
  let count = 0
  return {
    name: `with ${program}`,
    longestShutdown: LONGEST_SHUTDOWN_IN_ENGINE,
    build: () => void run(ROOT, program, 'build', '--quiet', '-f', DOCKERFILE, '-t', image, '.'),
    async run(words) {
      const name = `${image}-${++count}`
      const port = await freePort()
      run(ROOT, program, 'run', '--detach', '--name', name, '-p', `127.0.0.1:${port}:4010`, image, ...words)
      const origin = `http://127.0.0.1:${port}`
      await reachable(`${origin}/_sim/health`)
      return {
        origin,
        async expectHealthy() {
          for (let tries = 0; stateOf(program, name) !== 'healthy'; tries++) {
            if (tries === 100) throw new Error(`${name} is ${stateOf(program, name)}`)
            await sleep(100)
          }
        },
        async stop() {
          run(ROOT, program, 'stop', name)
          const status = Number(run(ROOT, program, 'wait', name))
          run(ROOT, program, 'rm', name)
          return status
        },
      }
    },
    provideTestcontainers(folder) {
      run(folder, 'npm', 'install', '--no-fund', '--no-audit', 'testcontainers')
      return image
    },
  }
}

function stateOf(program: string, container: string): string {
  const format = '{{.State.Health.Status}}'
  return execFileSync(program, ['inspect', '--format', format, container], { encoding: 'utf8' }).trim()
}
