/** The path of the control API, which is the path of the page. */
const PATH = location.pathname.replace(/\/(?:index\.html)?$/, '')

/** The URL of the control API. */
export const CONTROL_URL = location.origin + PATH

/** The start of the base URL for clients of the simulated service. */
export const SERVICE_URL = CONTROL_URL.replace(/\/_sim$/, '')
