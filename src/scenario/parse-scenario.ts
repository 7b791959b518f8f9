/*
 * The library exports this module, and the control API imports read-text.js on first use. Bundlers can put read-text.js
 * and its YAML parser into a separate chunk only if the library does not import it directly.
 */
export { parseScenario } from './read-text.js'
