/** The layering of the house: core <- api <- hosts <- cli, core <- media; simulator.ts wires core and media. */
const onlyFrom = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^src/', pathNot: allowed },
})

/** The composition root, and what may be set of it. */
const SIMULATOR = '^src/simulator(?:-settings)?\\.ts$'
const ISOMORPHIC = '^src/(?:core|api|client|media|hosts/msw|index\\.ts|simulator[\\w-]*\\.ts)'
/** A browser gets src/media/platform.browser.ts in its place, by the field `browser` of package.json. */
const NODES_OWN = '^src/media/platform\\.ts$'

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    onlyFrom('core-stands-alone', '^src/core/', ['^src/core/'], 'The core knows no host and no HTTP.'),
    onlyFrom(
      'media-on-core',
      '^src/media/',
      ['^src/media/', '^src/core/'],
      'A renderer knows tasks and formats only.',
    ),
    onlyFrom('simulator-wires', SIMULATOR, ['^src/core/', '^src/media/', SIMULATOR], 'The composition root.'),
    onlyFrom(
      'api-on-simulator',
      '^src/api/',
      ['^src/api/', '^src/core/', SIMULATOR],
      'Operations know no host.',
    ),
    onlyFrom(
      'hosts-on-api',
      '^src/hosts/([^/]+)/',
      ['^src/hosts/$1/', '^src/api/', '^src/core/', SIMULATOR],
      'A host knows the API, and no other host.',
    ),
    onlyFrom(
      'client-on-api',
      '^src/client/',
      ['^src/client/', '^src/api/', '^src/core/', SIMULATOR],
      'A handle on the control API.',
    ),
    onlyFrom(
      'vitest-on-hosts',
      '^src/vitest/',
      ['^src/vitest/', '^src/hosts/msw/', '^src/core/', '^src/index\\.ts$', SIMULATOR],
      'The fixture knows what a user of the library knows.',
    ),
    onlyFrom(
      'index-is-a-door',
      '^src/index\\.ts$',
      ['^src/core/', '^src/client/', SIMULATOR],
      'The isomorphic door.',
    ),
    {
      name: 'dashboard-is-a-client',
      comment: 'The page knows the control API as any other client does.',
      severity: 'error',
      from: { path: '^src/dashboard/' },
      to: { path: '^src/', pathNot: ['^src/dashboard/', '^src/client/', '^src/api/control/shapes\\.ts$'] },
    },
    {
      name: 'nothing-needs-the-dashboard',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/dashboard/' },
      to: { path: '^src/dashboard/' },
    },
    {
      name: 'isomorphic',
      comment: 'A browser bundle of `tasksim` and `tasksim/msw` holds no Node module.',
      severity: 'error',
      from: { path: ISOMORPHIC, pathNot: NODES_OWN },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-native-modules',
      comment: 'What has parts that are no JavaScript stays where a browser does not come.',
      severity: 'error',
      from: { path: ISOMORPHIC, pathNot: NODES_OWN },
      to: { path: 'node_modules/sharp/' },
    },
    {
      name: 'platform-on-first-use',
      comment: 'The media renderer alone leads to it, and loads it with the first file that is fetched.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: NODES_OWN, dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'documents-on-first-use',
      comment: 'What the APIs are described by is loaded when somebody asks for it.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/api/openapi/(?:control|service|page)/' },
      to: {
        path: '^src/api/openapi/(?:control|service|page)/',
        dependencyTypesNot: ['dynamic-import', 'type-only'],
      },
    },
    {
      name: 'no-dev-dependencies',
      severity: 'error',
      // The dashboard, the command line and the muxer are bundled with the packages that they need.
      from: { path: '^src/', pathNot: ['^src/(?:dashboard|cli)/', '^src/media/video/mp4\\.ts$'] },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['npm-peer', 'type-only'],
      },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
}
