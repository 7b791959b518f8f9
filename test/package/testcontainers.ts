import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Writes a package `testcontainers` that runs a command of this machine in place of a container: what the example needs,
 * and an error for the rest.
 * @param folder the project that imports it
 * @param command the entry point of the image
 */
export function writeStandIn(folder: string, command: readonly string[]): void {
  const home = join(folder, 'node_modules/testcontainers')
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{"type":"module","exports":"./index.js"}')
  writeFileSync(join(home, 'index.js'), standIn(command))
}

const standIn = (command: readonly string[]) => `
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const [program, ...first] = ${JSON.stringify(command)}

export const Wait = { forHealthCheck: () => 'health' }

export class GenericContainer {
  #words = []
  #port
  #waits
  constructor(image) {
    if (!image) throw new Error('no image')
  }
  withCommand(words) {
    this.#words = words
    return this
  }
  withExposedPorts(port) {
    this.#port = port
    return this
  }
  withWaitStrategy(strategy) {
    this.#waits = strategy === 'health'
    return this
  }
  async start() {
    if (!this.#waits) throw new Error('the container may not be ready')
    const child = spawn(program, [...first, ...this.#words, '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [text] = await once(child.stdout, 'data')
    const [, port] = /http:\\/\\/[\\w.]+:(\\d+)\\b/.exec(text)
    return {
      getHost: () => '127.0.0.1',
      getMappedPort: (exposed) => {
        if (exposed !== this.#port) throw new Error(exposed + ' is not exposed')
        return Number(port)
      },
      async stop() {
        child.kill()
        await once(child, 'exit')
      },
    }
  }
}
`
