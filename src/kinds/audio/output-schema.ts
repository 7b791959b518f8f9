import * as v from 'valibot'
import { fileUrl } from '../output-schema-parts.js'

export const audioOutput = v.strictObject({ audio: fileUrl('The URL of the audio file') })
