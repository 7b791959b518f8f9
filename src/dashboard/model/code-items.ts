import type { ServiceRequestShape } from '../../control/shapes.js'

/** A request as items of a menu that copies them, one for each language. */
export function codeItems({ code = [] }: ServiceRequestShape, note: string) {
  return code.map(({ language, label, text }) => ({
    label: language === 'curl' ? 'curl command' : label,
    note: language === 'sdk' ? 'client' : note,
    text,
  }))
}
