import * as v from 'valibot'
import { fileUrl, list } from '../output-schema-parts.js'

export const imageOutput = v.strictObject({ images: list(fileUrl(''), 'The URLs of the images') })
