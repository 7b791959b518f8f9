/**
 * The part of `node:sqlite` that the ledger uses. The project compiles with the types of the oldest supported Node,
 * which do not have this module.
 * @see https://nodejs.org/docs/latest-v22.x/api/sqlite.html
 */
declare module 'node:sqlite' {
  type SqlValue = null | number | string | Uint8Array
  export type SqlRow = Record<string, SqlValue>

  export class DatabaseSync {
    constructor(path: string)
    close(): void
    exec(sql: string): void
    prepare(sql: string): StatementSync
  }

  export class StatementSync {
    get(...values: SqlValue[]): SqlRow | undefined
    iterate(...values: SqlValue[]): IterableIterator<SqlRow>
    run(...values: SqlValue[]): { readonly changes: number | bigint }
  }
}
