import { UsageError } from '../../engine/errors.js'

// A single executable can import neither a module of the user nor the packages that the module imports.
throw new UsageError(
  'The option --handlers needs Node and the npm package: npm install --save-dev tasksim msw @mswjs/http-middleware. The executable of tasksim cannot load modules.',
)
