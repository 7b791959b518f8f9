import { expect, it } from 'vitest'
import { invocation } from '../../src/cli/commands/init.js'

it.each([
  [
    'npx tasksim',
    '/app/node_modules/.bin/tasksim',
    { npm_command: 'exec', PATH: '/app/node_modules/.bin:/bin' },
  ],
  [
    'npx tasksim',
    '/app/node_modules/.bin/tasksim',
    { npm_lifecycle_event: 'sim', PATH: '/app/node_modules/.bin' },
  ],
  ['npx tasksim', '/app/node_modules/.bin/tasksim', { PATH: '/bin' }],
  ['tasksim', '/usr/local/bin/tasksim', { PATH: '/bin:/usr/local/bin' }],
  ['npx tasksim', '/app/node_modules/tasksim/dist/cli/main.js', {}],
  ['node dist/cli/main.js', `${process.cwd()}/dist/cli/main.js`, {}],
])('tasksim prints %j for a user who started %s with %j', (command, script, env) => {
  expect(invocation({ argv: ['node', script], env })).toBe(command)
})

it.each([
  ['tasksim', '/usr/local/bin/tasksim', { PATH: '/bin:/usr/local/bin' }],
  ['./tasksim', `${process.cwd()}/tasksim`, { PATH: '/bin' }],
  ['build/tasksim', `${process.cwd()}/build/tasksim`, { npm_lifecycle_event: 'sim' }],
])('tasksim prints %j for a user of the executable %s with %j', (command, program, env) => {
  expect(invocation({ argv: [program, program], env })).toBe(command)
})
