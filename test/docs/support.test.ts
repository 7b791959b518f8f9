import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROOT, readPage } from './pages.js'

const { engines, peerDependencies, version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))
const page = readPage('docs/support.md')

test('the page about support names the oldest Node, MSW and Vitest of the package', () => {
  expect(page).toContain(`Node ${engines.node.replace('>=', '')}, `)
  for (const [name, title] of Object.entries({ msw: 'MSW', vitest: 'Vitest' })) {
    const majors = peerDependencies[name].split(' || ').map((range: string) => range.replace('^', ''))
    const [oldest, newest] = [majors[0].replace(/\.0$/, ''), majors.at(-1).split('.')[0]]
    expect(page).toContain(`${title} ${oldest} to ${newest}`)
  }
})

test('every page names the tarball of this version', () => {
  const named = ['README.md', 'docs/install.md'].flatMap((path) =>
    readPage(path).match(/tasksim-[\d.]+\.tgz/g),
  )
  expect(new Set(named)).toEqual(new Set([`tasksim-${version}.tgz`]))
})
