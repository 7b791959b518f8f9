/** The part of the package that the docs use. The package itself is not installed. */
declare module '@playwright/test' {
  interface WebServer {
    command: string
    url: string
    env?: Record<string, string>
  }
  export function defineConfig(config: { webServer: WebServer[] }): object
}
