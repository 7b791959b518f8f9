import { Ajv } from 'ajv'
import { Ajv2020, type Options } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

/**
 * Returns an independent validator of JSON Schema, which spends no time on faster code: a test validates few values.
 * It trusts its schemas; `{ validateSchema: true }` makes it reject an invalid one.
 */
export function ajvWith(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    validateSchema: false,
    inlineRefs: false,
    code: { optimize: false },
    ...options,
  })
  formats.default(ajv)
  return ajv
}

/** Returns a validator for the schemas of files, as strict as the checks of SchemaStore: it rejects a doubtful schema. */
export function strictAjv(): Ajv {
  const ajv = new Ajv({ strict: true, allErrors: true, inlineRefs: false, code: { optimize: false } })
  formats.default(ajv)
  return ajv
}
