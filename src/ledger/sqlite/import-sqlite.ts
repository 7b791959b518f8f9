/**
 * Imports `node:sqlite`. Node 22 warns on import that its SQLite is experimental; tasksim depends on none of the
 * functions that may change, so the warning is dropped. Other warnings of the import are not.
 * @throws Error if this version of Node has no SQLite
 */
export async function importSqlite(): Promise<typeof import('node:sqlite')> {
  const emitWarning = process.emitWarning
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) {
      Reflect.apply(emitWarning, process, [warning, ...rest])
    }
  }
  try {
    return await import('node:sqlite')
  } finally {
    process.emitWarning = emitWarning
  }
}
