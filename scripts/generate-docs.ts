/** Writes the reference in docs/reference from the schema, the commands and the OpenAPI documents. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { generatedPages } from './docs/pages.js'

const folder = new URL('../docs/reference/', import.meta.url)
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(await generatedPages())) writeFileSync(new URL(name, folder), text)
