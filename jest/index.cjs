// The options of Jest for tests that use tasksim and MSW: `module.exports = { ...require('tasksim/jest') }`.
'use strict'
const { join } = require('node:path')

const inFolder = (file) => join(__dirname, file)

const testEnvironment = inFolder('environment.mjs')

// Jest cannot `require` the ES modules of these packages. The environment imports them, and these files return them.
const moduleNameMapper = {
  '^tasksim$': inFolder('modules/tasksim.cjs'),
  '^tasksim/(client|express|msw|opentelemetry)$': inFolder('modules/$1.cjs'),
  '^msw$': inFolder('modules/msw-core.cjs'),
  '^msw/node$': inFolder('modules/msw-node.cjs'),
}

module.exports = { testEnvironment, moduleNameMapper }
