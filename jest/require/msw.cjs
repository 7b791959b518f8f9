'use strict'
module.exports = require('../../dist/hosts/msw/index.js')
