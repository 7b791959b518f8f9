module.exports = { ...require('tasksim/jest') }
