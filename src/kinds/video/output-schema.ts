import * as v from 'valibot'
import { fileUrl } from '../output-schema-parts.js'

export const videoOutput = v.strictObject({ video: fileUrl('The URL of the video') })
