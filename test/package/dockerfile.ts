import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ENVIRONMENT } from './workshop.js'

/** The command whose results are taken from the context. */
const CLEAN_INSTALL = 'npm ci'

interface Instruction {
  readonly name: string
  readonly text: string
}

/** A stage of a Dockerfile that was executed: a folder in the place of the file system of the image. */
export interface Stage {
  readonly root: string
  /** The command that starts the image, with the paths of the folder. */
  readonly command: readonly string[]
  readonly healthCheck: readonly string[]
  readonly folder: string
}

/**
 * Executes the steps of a Dockerfile without an engine, with the programs of this machine. Each stage has a folder; its
 * absolute paths lead into this folder. `FROM`, `USER` and `EXPOSE` need an image, so they have no effect. `npm ci` takes
 * minutes and has already run in the context, so its results there take its place.
 * @param context the folder that is the build context
 * @param out an empty folder for the stages
 */
export function executeDockerfile(file: string, context: string, out: string): Stage {
  const stages = new Map<string, DockerStage>()
  const ignored = ignoredBy(`${file}.dockerignore`)
  let stage: DockerStage | undefined
  for (const instruction of instructionsOf(readFileSync(file, 'utf8'))) {
    if (instruction.name === 'FROM') {
      const [, name = `stage-${stages.size}`] = / AS (\S+)$/i.exec(instruction.text) ?? []
      stage = new DockerStage(join(out, name), context, ignored, stages)
      stages.set(name, stage)
    } else stage?.execute(instruction)
  }
  if (stage === undefined) throw new Error(`${file} has no FROM`)
  return stage
}

function instructionsOf(text: string): Instruction[] {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
  return lines.flatMap((line) => {
    const [, name, rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? []
    return name === undefined ? [] : [{ name, text: rest.trim() }]
  })
}

class DockerStage implements Stage {
  readonly root: string
  readonly #context: string
  readonly #ignored: readonly RegExp[]
  readonly #stages: ReadonlyMap<string, Stage>
  readonly #variables: Record<string, string> = {}
  #folder = '/'
  #entryPoint: string[] = []
  #arguments: string[] = []
  #healthCheck: string[] = []

  constructor(root: string, context: string, ignored: readonly RegExp[], stages: ReadonlyMap<string, Stage>) {
    this.root = root
    this.#context = context
    this.#ignored = ignored
    this.#stages = stages
    mkdirSync(root, { recursive: true })
  }

  get folder(): string {
    return join(this.root, this.#folder)
  }

  get command(): readonly string[] {
    return [...this.#entryPoint, ...this.#arguments].map((word) => this.#localPath(word))
  }

  get healthCheck(): readonly string[] {
    return this.#healthCheck
  }

  execute({ name, text }: Instruction): void {
    if (name === 'WORKDIR') this.#enter(text)
    else if (name === 'COPY') this.#copy(text)
    else if (name === 'RUN') this.#run(text)
    else if (name === 'ENV' || name === 'ARG') this.#set(text)
    else if (name === 'ENTRYPOINT') this.#entryPoint = JSON.parse(text)
    else if (name === 'CMD') this.#arguments = JSON.parse(text)
    else if (name === 'HEALTHCHECK') this.#healthCheck = JSON.parse(/ CMD (.*)$/.exec(text)?.[1] ?? '[]')
    else if (name !== 'USER' && name !== 'EXPOSE')
      throw new Error(`This test cannot execute ${name}. Add it to test/package/dockerfile.ts.`)
  }

  #enter(path: string): void {
    this.#folder = path
    mkdirSync(this.folder, { recursive: true })
  }

  #set(text: string): void {
    const [name = '', ...value] = text.split('=')
    this.#variables[name] = value.join('=').replace(/^"(.*)"$/, '$1')
  }

  #copy(text: string): void {
    const [, from, source = '', target = ''] = /^(?:--from=(\S+) )?(\S+) (\S+)$/.exec(text) ?? []
    const to = target.startsWith('/') ? join(this.root, target) : join(this.folder, target)
    const stage = from === undefined ? undefined : this.#stages.get(from)
    if (from !== undefined && stage === undefined) throw new Error(`COPY names the unknown stage ${from}`)
    const origin = join(stage?.root ?? this.#context, source)
    const filter = (path: string) =>
      stage !== undefined || !this.#ignored.some((pattern) => pattern.test(relative(this.#context, path)))
    cpSync(origin, to, { recursive: true, verbatimSymlinks: true, filter })
  }

  #run(script: string): void {
    const commands = script.split(' && ')
    if (commands.includes(CLEAN_INSTALL)) this.#takeInstallation()
    const rest = commands.filter((command) => command !== CLEAN_INSTALL).join(' && ')
    try {
      execFileSync('sh', ['-euc', this.#localPaths(rest)], {
        cwd: this.folder,
        env: { ...ENVIRONMENT, ...this.#variables },
        encoding: 'utf8',
        stdio: 'pipe',
      })
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
      throw new Error(`RUN ${script} failed:\n${stdout}${stderr}`)
    }
  }

  /** Takes the packages and the build that `npm ci` has made in the context. */
  #takeInstallation(): void {
    for (const path of ['node_modules', 'dist']) {
      if (!existsSync(join(this.#context, path))) throw new Error(`${path} is missing. Run npm ci before.`)
      if (existsSync(join(this.folder, path))) throw new Error(`.dockerignore does not exclude ${path}`)
    }
    symlinkSync(join(this.#context, 'node_modules'), join(this.folder, 'node_modules'))
    cpSync(join(this.#context, 'dist'), join(this.folder, 'dist'), { recursive: true })
  }

  /** Rewrites the absolute paths in a shell command. */
  #localPaths(script: string): string {
    return script
      .split(' ')
      .map((word) => this.#localPath(word))
      .join(' ')
  }

  #localPath(word: string): string {
    return /^\/\w/.test(word) ? join(this.root, word) : word
  }
}

/** The patterns of a `.dockerignore` file for paths in the context. */
function ignoredBy(file: string): RegExp[] {
  const patterns = readFileSync(file, 'utf8').split('\n')
  return patterns
    .filter((pattern) => pattern !== '')
    .map((pattern) => {
      const expression = pattern
        .replace(/[.+^${}()|[\]\\]/g, '\\$&')
        .replace(/\*\*\/|\*/g, (wild) => (wild === '*' ? '[^/]*' : '(?:.*/)?'))
      return new RegExp(`^${expression}(?:/|$)`)
    })
}
