import type { TestProject } from 'vitest/node'

/** Prints why `npm test` skips tests. */
export default function announceMode(project: TestProject): void {
  if (project.config.provide.isDeep !== true)
    process.stdout.write(
      'Tests marked deepTest are skipped, and samples are small: `npm run test:deep` runs everything.\n',
    )
}
