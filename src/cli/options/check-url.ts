import { maskUrl } from '../../engine/mask.js'
import { HTTP_URL_FORM, httpUrl } from '../../engine/webhooks/receivers/receiver.js'
import { CommandLineError } from '../errors.js'

/** @throws UsageError if the value of an option is not an HTTP URL */
export function checkUrl(option: string, url: string): void {
  if (httpUrl(url) !== undefined) return
  throw new CommandLineError(`--${option} must be ${HTTP_URL_FORM}; got ${JSON.stringify(maskUrl(url))}.`)
}
