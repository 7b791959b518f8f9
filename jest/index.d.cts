/** The options of Jest for tests that use tasksim and MSW. */
declare const options: {
  /** Jest's environment for Node, with tasksim and MSW outside of it. */
  readonly testEnvironment: string
  /** Returns these modules to the tests. */
  readonly moduleNameMapper: { readonly [pattern: string]: string }
}
export = options
