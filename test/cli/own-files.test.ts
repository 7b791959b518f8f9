import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderWith, start } from './run.js'
import { runInProcess } from './run-in-process.js'

/** Creates a folder with some files and a scenario file that names `files`. */
function scenarioWith(files: string): string {
  const folder = folderWith({ 's.yaml': `extends: instant\nkinds:\n  image: { files: ${files} }\n` })
  mkdirSync(join(folder, 'my-images'))
  for (const name of ['a.png', 'b.jpg', '.hidden']) writeFileSync(join(folder, 'my-images', name), name)
  return folder
}

it('a server serves each file of a folder once before it repeats one', async () => {
  const running = start(scenarioWith('./my-images'), ['./s.yaml', '--port', '0'])
  const [base] = await running.printed(/http:\/\/[\w.]+:\d+\/api\/v1/)
  const headers = { authorization: 'Bearer k', 'content-type': 'application/json' }
  const body = JSON.stringify({ model: 'acme/image-1', input: { n: 2 } })
  const { id } = (await (await fetch(`${base}/tasks`, { method: 'POST', headers, body })).json()) as {
    id: string
  }
  const task = (await (await fetch(`${base}/tasks/${id}`, { headers })).json()) as {
    output: { images: string[] }
  }
  const answers = await Promise.all(task.output.images.map((url) => fetch(url)))
  const shown = answers.map(async (answer) => [answer.headers.get('content-type'), await answer.text()])
  expect((await Promise.all(shown)).sort()).toEqual([
    ['image/jpeg', 'b.jpg'],
    ['image/png', 'a.png'],
  ])
})

it.each([
  ['./nowhere', './nowhere does not exist'],
  ['./odd.exe', './odd.exe has an unknown type; expected one of .png'],
  ['./empty', 'the folder is empty'],
  ['../', '../ is outside the folder'],
  ['/etc/hostname', '/etc/hostname is outside the folder'],
  ['./link', './link is outside the folder'],
  ['./links', 'out.png is outside the folder'],
])('a server reports the mistake in the path %s, with its line and column', async (path, message) => {
  const folder = scenarioWith(path)
  writeFileSync(join(folder, 'odd.exe'), '')
  mkdirSync(join(folder, 'empty'))
  mkdirSync(join(folder, 'links'))
  symlinkSync('/etc', join(folder, 'link'))
  symlinkSync(join(folder, 'my-images', 'a.png'), join(folder, 'links', 'out.png'))
  const running = runInProcess(folder, ['validate', 's.yaml'])
  expect(await running.ended).toBe(1)
  expect(running.stdout()).toContain(
    `s.yaml:3:19: kinds.image.files: cannot use ${JSON.stringify(path)} as an output: ${message}`,
  )
})

it('a server does not read a file that became a link after the scenario was read', async () => {
  const folder = scenarioWith('./my-images/a.png')
  const { readOwnFile } = await import('../../src/media/platform.js')
  const file = join(folder, 'my-images', 'a.png')
  expect(Buffer.from(await readOwnFile(file)).toString()).toBe(readFileSync(file, 'utf8'))
  symlinkSync('/etc/hostname', join(folder, 'my-images', 'later.png'))
  await expect(readOwnFile(join(folder, 'my-images', 'later.png'))).rejects.toThrow('later.png')
})
