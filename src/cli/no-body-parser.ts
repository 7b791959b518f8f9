/** Stands in the bundle for the parsers that Express would bring along: they are a third of it, and unused. */
export default {}
