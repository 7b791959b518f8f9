/**
 * Layers: engine <- kinds, inspect, scenario, media, http/exchange <- dialects <- simulator <- http <- control, openapi <- api.ts
 * <- hosts, client, record <- cli.
 */
const onlyFrom = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^src/', pathNot: allowed },
})

/** The simulator, its parts and its settings. */
const SIMULATOR = '^src/(?:simulator[\\w-]*|active-scenario)\\.ts$'
/** The entry point of the library, and the functions that build a simulator with its control API. */
const ENTRY = '^src/(?:index|(?:build|create)-simulator)\\.ts$'
/** The table of all operations. */
const API = '^src/api\\.ts$'
const CORE = ['^src/engine/', '^src/kinds/', '^src/scenario/', '^src/inspect/']
const MODEL = ['^src/scenario/(?:model|rules)/']
/** The description of a wire format as data: types only. */
const TABLE = '^src/dialects/table/model/[\\w-]+-table\\.ts$'
/** What the HTTP layer knows of wire formats: their interface, their description as data, and how to find one. */
const DIALECTS = '^src/dialects/(?:[^/]+|table/model/dialect-table)\\.ts$'
const ISOMORPHIC =
  '^src/(?:engine|kinds|scenario|inspect|dialects|http|control|openapi|client|record|media|opentelemetry|hosts/msw|[\\w-]+\\.ts$)'
/** The description of both APIs. */
const DOCUMENTS = ['^src/openapi/(?!read-document|routes)', '^src/kinds/.*output-schema']
const RESPONSE_SCHEMAS = '^src/control/schema/(?!(?:bodies|queries|input-parts|parts)\\.ts$)'
/** A browser gets other files in their place, such as platform.browser.ts, by the field `browser` of package.json. */
const NODES_OWN = '^src/(?:media/platform|engine/sha256)\\.ts$'
/** The one of them that loads Sharp. */
const PLATFORM = '^src/media/platform\\.ts$'

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    onlyFrom(
      'engine',
      '^src/engine/',
      ['^src/engine/', ...MODEL],
      'The engine knows no HTTP and no scenario file.',
    ),
    onlyFrom(
      'kinds',
      '^src/kinds/',
      ['^src/kinds/', '^src/engine/', ...MODEL],
      'A kind of models knows no HTTP and no scenario file.',
    ),
    onlyFrom(
      'scenario-model',
      '^src/scenario/(?:model|rules)/',
      ['^src/engine/', '^src/kinds/', TABLE, ...MODEL],
      'The model of a scenario knows no file and no schema.',
    ),
    onlyFrom(
      'inspect',
      '^src/inspect/',
      ['^src/inspect/', '^src/engine/', ...MODEL],
      'Journal and findings.',
    ),
    onlyFrom(
      'scenario',
      '^src/scenario/',
      ['^src/scenario/', '^src/inspect/', '^src/kinds/', '^src/engine/', '^src/dialects/table/'],
      'Scenario files.',
    ),
    onlyFrom(
      'media',
      '^src/media/',
      ['^src/media/', '^src/engine/', ...MODEL],
      'A renderer knows tasks and formats only.',
    ),
    onlyFrom(
      'exchange',
      '^src/http/exchange/',
      ['^src/http/exchange/', '^src/engine/', ...MODEL],
      'Requests, replies and rejections, for dialects and for the HTTP layer.',
    ),
    onlyFrom(
      'dialects',
      '^src/dialects/',
      ['^src/dialects/', '^src/http/exchange/', '^src/kinds/', '^src/engine/', ...MODEL],
      'A wire format knows the engine, and neither the pipeline nor a host.',
    ),
    onlyFrom('simulator', SIMULATOR, [...CORE, '^src/media/', DIALECTS, SIMULATOR], 'The composition root.'),
    onlyFrom(
      'ledger',
      '^src/ledger/',
      ['^src/ledger/', ...CORE, DIALECTS, SIMULATOR],
      'What outlives the process. It knows no wire format and no host.',
    ),
    onlyFrom(
      'http',
      '^src/http/',
      [...CORE, SIMULATOR, DIALECTS, '^src/http/'],
      'The HTTP layer knows no host, no control API and no particular service.',
    ),
    onlyFrom(
      'control',
      '^src/control/',
      [...CORE, SIMULATOR, '^src/(?:http|control|dialects|ledger)/'],
      'The control API knows no host.',
    ),
    onlyFrom(
      'openapi',
      '^src/openapi/',
      [...CORE, SIMULATOR, '^src/(?:dialects|http|control|openapi)/'],
      'Describes both APIs, and the dialects from their tables.',
    ),
    onlyFrom(
      'api',
      API,
      [...CORE, SIMULATOR, DIALECTS, '^src/(?:http|control|openapi)/'],
      'The table of all operations.',
    ),
    onlyFrom(
      'hosts',
      '^src/hosts/([^/]+)/',
      ['^src/hosts/$1/', API, '^src/(?:http|ledger)/', DIALECTS, ...CORE, SIMULATOR],
      'A host knows the API, and no other host.',
    ),
    onlyFrom(
      'client',
      '^src/client/',
      ['^src/client/', API, '^src/(?:http|control)/', ...CORE, SIMULATOR],
      'A client of the control API.',
    ),
    onlyFrom(
      'record',
      '^src/record/',
      ['^src/record/', '^src/(?:dialects|http/exchange)/', ...CORE],
      'What a history of tasks shows, and the scenario that follows from it.',
    ),
    onlyFrom(
      'vitest',
      '^src/vitest/',
      ['^src/vitest/', '^src/hosts/msw/', '^src/http/exchange/', ...CORE, ENTRY, SIMULATOR],
      'The fixture uses the library as its users do.',
    ),
    onlyFrom(
      'opentelemetry',
      '^src/opentelemetry/',
      ['^src/opentelemetry/', '^src/http/exchange/', ...CORE, SIMULATOR],
      'Traces and metrics listen to a simulator.',
    ),
    onlyFrom(
      'entry',
      ENTRY,
      [...CORE, DIALECTS, '^src/client/', '^src/record/parse-recording\\.ts$', SIMULATOR, ENTRY],
      'The isomorphic entry point.',
    ),
    {
      name: 'dashboard-is-a-client',
      comment: 'The page knows the control API as any other client does.',
      severity: 'error',
      from: { path: '^src/dashboard/' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/dashboard/',
          '^src/client/',
          '^src/control/shapes\\.ts$',
          '^src/control/code/curl\\.ts$',
        ],
      },
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
      to: { path: PLATFORM, dependencyTypesNot: ['dynamic-import'] },
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
