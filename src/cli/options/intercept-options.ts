import type { InferredOptionTypes } from 'yargs'
import { CommandLineError } from '../errors.js'
import { repeatable } from './options.js'

/** The value of `--intercept` that stands for every service. It is what the option means without a value. */
export const ALL_SERVICES = '*'

/** The options with which a command answers requests for the hosts of services themselves. */
export function interceptOptions() {
  return {
    intercept: {
      ...repeatable,
      describe:
        'Answer requests for the real hosts of services, such as https://api.replicate.com, so that the app needs no change; --intercept=replicate,fal for some',
    },
    'intercept-allow': {
      ...repeatable,
      default: [] as string[],
      describe: 'With --intercept: pattern of further hosts that the app may call (* matches any characters)',
    },
  } as const
}

/** The arguments of a command that can intercept requests. */
export type InterceptArguments = InferredOptionTypes<ReturnType<typeof interceptOptions>>

/** The names of the services to intercept; empty for all, and undefined for none. */
export function interceptedServices({ intercept }: InterceptArguments): readonly string[] | undefined {
  const names = intercept?.flatMap((value) => value.split(',')).map((name) => name.trim())
  return names?.includes(ALL_SERVICES) ? [] : names
}

/** @throws UsageError if the arguments cannot be used */
export function checkIntercept(args: InterceptArguments): void {
  const { 'intercept-allow': patterns } = args
  if (patterns.length > 0 && args.intercept === undefined)
    throw new CommandLineError('--intercept-allow needs --intercept. Add it, or omit the pattern.')
  const invalid = patterns.find((pattern) => !/^[\w.*-]+$/.test(pattern))
  if (invalid === undefined) return
  throw new CommandLineError(
    `--intercept-allow must be the name of a host, in which * matches any characters, such as *.example.com; got ${JSON.stringify(invalid)}.`,
  )
}
