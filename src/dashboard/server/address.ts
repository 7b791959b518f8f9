/** The path of the control API: the page's own, wherever the server is mounted. */
const PATH = location.pathname.replace(/\/(?:index\.html)?$/, '')

/** Where the control API is. */
export const CONTROL_URL = location.origin + PATH

/** Where the simulated service is: what a client's base URL starts with. */
export const SERVICE_URL = CONTROL_URL.replace(/\/_sim$/, '')
