declare module 'postject' {
  /** Adds data to a program. */
  export function inject(
    program: string,
    resource: string,
    data: Buffer,
    options: { readonly sentinelFuse: string },
  ): Promise<void>
}
