import { getAsset } from 'node:sea'

/** The version of tasksim, from the manifest in the executable. */
export const VERSION: string = JSON.parse(getAsset('package.json', 'utf8')).version
