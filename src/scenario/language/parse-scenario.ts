/*
 * A door of its own: the control API loads what stands behind it on first use, and a bundler keeps the two apart, so
 * that a page that reads no text carries no YAML along.
 */
export { parseScenario } from './read-text.js'
