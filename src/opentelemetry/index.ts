/**
 * Traces and metrics of a simulator for OpenTelemetry. It needs the package `@opentelemetry/api`.
 * @module
 */
export { type InstrumentOptions, instrument } from './instrument.js'
