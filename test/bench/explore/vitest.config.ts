import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['suite.ts'],
    reporters: ['json'],
    // As in a project of a user, where the package is in node_modules.
    server: { deps: { external: [/\/dist\//] } },
    maxWorkers: 1,
  },
})
