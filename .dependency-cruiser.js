/** Each folder of `src`, and the folders below it that it may import; `cli` may import all but `dashboard`. */
const LAYERS = {
  engine: [],
  kinds: ['engine'],
  media: ['engine'],
  inspect: ['engine'],
  exchange: ['engine'],
  scenario: ['engine', 'kinds', 'inspect'],
  dialects: ['engine', 'kinds', 'exchange', 'scenario'],
  simulator: ['engine', 'kinds', 'media', 'inspect', 'scenario', 'dialects'],
  ledger: ['engine', 'kinds', 'inspect', 'scenario', 'dialects', 'simulator'],
  http: ['engine', 'kinds', 'inspect', 'exchange', 'scenario', 'dialects', 'simulator'],
  explore: ['engine', 'kinds', 'inspect', 'exchange', 'scenario', 'dialects', 'simulator'],
  record: ['engine', 'kinds', 'inspect', 'exchange', 'scenario', 'dialects'],
  control: [
    'engine',
    'kinds',
    'inspect',
    'exchange',
    'scenario',
    'dialects',
    'simulator',
    'explore',
    'ledger',
    'http',
  ],
  openapi: ['engine', 'kinds', 'inspect', 'exchange', 'scenario', 'dialects', 'simulator', 'http', 'control'],
  client: ['engine', 'inspect', 'scenario', 'control'],
  opentelemetry: ['engine', 'inspect', 'exchange', 'simulator'],
  hosts: [
    'engine',
    'kinds',
    'inspect',
    'exchange',
    'dialects',
    'simulator',
    'ledger',
    'http',
    'control',
    'openapi',
    'client',
  ],
  library: ['engine', 'scenario', 'dialects', 'simulator', 'client', 'hosts'],
  vitest: [
    'engine',
    'inspect',
    'exchange',
    'scenario',
    'simulator',
    'explore',
    'client',
    'hosts',
    'library',
    'media',
  ],
  dashboard: ['engine', 'control', 'client'],
}
/**
 * The order inside two folders, from the bottom up: a file may import what stands before it. Types do not count, because
 * they may refer to each other.
 */
const ORDERS = {
  engine: [
    '[^/]+$',
    'pattern/',
    'clock/',
    'memory/',
    'assets/',
    'scenario/',
    'tasks/',
    'requests/',
    'progress/',
    'webhooks/',
    'directive/',
    'exploration/',
  ],
  http: [
    '(?!open-exchange|pipeline|routes)[^/]+$',
    'faults/',
    'files/',
    'uploads/',
    'handlers/',
    'middleware/',
    '(?:open-exchange|pipeline|routes)\\.ts$',
  ],
}
const ISOMORPHIC = '^src/(?!cli/|ledger/|hosts/express/|vitest/|dashboard/)'
/** The description of both APIs. */
const DOCUMENTS = ['^src/openapi/(?!read-document|routes)', '^src/kinds/.*output-schema']
const RESPONSE_SCHEMAS = '^src/control/schema/(?!(?:inputs|parts)\\.ts$)'
/** A browser gets other files in their place, such as platform.browser.ts, by the field `browser` of package.json. */
const NODES_OWN = '^src/(?:media/platform|engine/sha256)\\.ts$'

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    ...Object.entries(LAYERS).map(([folder, below]) => ({
      name: folder,
      severity: 'error',
      from: { path: `^src/${folder}/` },
      to: { path: '^src/', pathNot: `^src/(?:${[folder, ...below].join('|')})/` },
    })),
    ...Object.entries(ORDERS).flatMap(([folder, order]) =>
      order.slice(0, -1).map((part, index) => ({
        name: `order-in-${folder}`,
        severity: 'error',
        from: { path: `^src/${folder}/${part}` },
        to: {
          path: `^src/${folder}/(?:${order.slice(index + 1).join('|')})`,
          dependencyTypesNot: ['type-only', 'dynamic-import'],
        },
      })),
    ),
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
      comment: 'What has parts that are not JavaScript stays where a browser does not come.',
      severity: 'error',
      from: { path: ISOMORPHIC, pathNot: NODES_OWN },
      to: { path: 'node_modules/sharp/' },
    },
    {
      name: 'platform-on-first-use',
      comment: 'The media renderer alone leads to it, and loads it with the first file that is fetched.',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/media/platform\\.ts$', dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'documents-on-first-use',
      comment: 'The documents, and the schemas of responses, are loaded when a request asks for a document.',
      severity: 'error',
      from: { path: '^src/', pathNot: [...DOCUMENTS, RESPONSE_SCHEMAS] },
      to: { path: [...DOCUMENTS, RESPONSE_SCHEMAS], dependencyTypesNot: ['dynamic-import', 'type-only'] },
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
    // Node 20, on which this check may run, lacks it.
    builtInModules: { add: ['sqlite', 'node:sqlite'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
}
