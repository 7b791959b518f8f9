import type { JsonObject } from '../../../engine/json.js'
import type { DialectTable } from '../dialect-table.generated.js'

type Options = NonNullable<DialectTable['options']>
type Option = keyof Options

/** The further names that kinds know for an option, which other services do not have. */
const ALIASES: Readonly<Partial<Record<Option, string>>> = {
  n: 'num_images',
  duration: 'audio_duration',
  size: 'image_size',
  output_format: 'format',
}

/**
 * The parameters of an input that decide the media, under the names of tasksim.
 * @param options the names that a service gives to them; one without them uses those of tasksim
 */
export function mediaOptions(options: Options, input: JsonObject): JsonObject {
  const values = Object.entries(options).flatMap(([option, names = []]) => {
    const name = names.find((each) => Object.hasOwn(input, each) && input[each] !== null)
    const alias = ALIASES[option as Option]
    return [
      ...(alias === undefined ? [] : [[alias, null] as const]),
      [option, name === undefined ? null : (input[name] ?? null)] as const,
    ]
  })
  return { ...input, ...Object.fromEntries(values) }
}
