/**
 * Measures the CPU time of a poll in tasksim and in other tools: `npm run bench:tools`. It installs the tools from npm
 * into a temporary folder. The comparison page shows the result.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { harness } from '../../support/runner.js'
import { requireDistribution } from '../../support/server.js'
import { cpuTimeOf } from '../cpu-time.js'
import { figureOf } from '../figure.js'
import { table } from '../report.js'
import { install } from './install.js'
import { type Poll, poll } from './poller.js'
import { startTools } from './tools.js'

const ROUNDS = 8
const ROUND = 2_000
const WARM_UP = 4_000

async function main(folder: string): Promise<void> {
  requireDistribution()
  const versions = install(folder)
  const tools = await startTools(folder)
  const rounds = new Map(tools.map(({ name }) => [name, [] as number[]]))
  for (const tool of tools) await measure(tool, WARM_UP)
  for (let round = 0; round < ROUNDS; round++)
    // The order changes from round to round, so that a machine that slows down affects all tools equally.
    for (const tool of tools.reverse()) rounds.get(tool.name)?.push(await measure(tool, ROUND))
  const figures = [...rounds].map(([name, values]) => figureOf(`CPU per poll: ${name}`, 'us', values))
  process.stdout.write(`${table(figures.sort((a, b) => a.value - b.value))}
${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${cpus()[0]?.model ?? 'unknown CPU'}
${versions.join(', ')}
`)
}

/** Returns the microseconds of the server's CPU per poll. */
async function measure(tool: Poll & { readonly pid: number }, milliseconds: number): Promise<number> {
  const usedBefore = cpuTimeOf(tool.pid)
  const answered = await poll(tool, milliseconds)
  return ((cpuTimeOf(tool.pid) - usedBefore) * 1_000) / answered
}

await harness('bench:tools', 1_800_000, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tasksim-tools-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  await main(folder)
  return undefined
})
