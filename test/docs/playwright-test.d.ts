/** As much of it as a page shows; the package itself is not here. */
declare module '@playwright/test' {
  interface WebServer {
    command: string
    url: string
    env?: Record<string, string>
  }
  export function defineConfig(config: { webServer: WebServer[] }): object
}
