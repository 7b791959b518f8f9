/** Prints the files and functions of `src` that a warm poll and a create request pass: `npx tsx test/bench/hops.ts`. */
import { parseArgs } from 'node:util'
import { endAll } from './children.js'
import { countHops } from './hops/benchmark.js'

const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } })
process.on('exit', endAll)
for (const [name, passed] of Object.entries(await countHops())) {
  const files = new Map<string, string[]>()
  for (const each of passed) {
    const [file = '', called = ''] = each.split(' ')
    files.set(file, [...(files.get(file) ?? []), called])
  }
  process.stdout.write(`${name}: ${files.size} files, ${passed.length} functions\n`)
  if (values.list)
    for (const [file, called] of files) process.stdout.write(`  ${file}: ${called.join(', ')}\n`)
}
