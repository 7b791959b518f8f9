'use strict'
module.exports = globalThis[Symbol.for('tasksim.jest.module')]('tasksim')
