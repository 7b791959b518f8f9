export * from '../support/check.js'
