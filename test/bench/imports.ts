import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { keep } from './children.js'
import { compiled } from './distribution.js'
import { type Figure, figureOf } from './figure.js'

const ROUNDS = 5
const MODULES: Readonly<Record<string, string>> = {
  tasksim: compiled('index.js'),
  'tasksim/msw': compiled('hosts/msw/index.js'),
  'msw and msw/node alone': 'msw,msw/node',
  'express alone': 'express',
}

const SCRIPT = `
const begin = performance.now()
for (const module of process.argv[1].split(',')) await import(module)
process.stdout.write(String(performance.now() - begin))`

/** Measures how long each import takes in a new process. */
export async function imports(): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [name, module] of Object.entries(MODULES)) {
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round++) rounds.push(await timeOf(module))
    figures.push(figureOf(`import: ${name}`, 'ms', rounds))
  }
  return figures
}

async function timeOf(module: string): Promise<number> {
  const child = keep(
    spawn(process.execPath, ['--input-type=module', '-e', SCRIPT, module], {
      stdio: ['ignore', 'pipe', 'inherit'],
    }),
  )
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`Failed to import ${module}.`)
  return Number(output)
}
