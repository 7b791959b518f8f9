import type { ServiceRequestShape } from '../../control/shapes.js'

/** Whether a request needs an API key that only the user knows. */
export function needsKey({ headers }: ServiceRequestShape): boolean {
  return Object.values(headers).some((value) => value.includes('$API_KEY'))
}
