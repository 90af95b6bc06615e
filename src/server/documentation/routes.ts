import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { documentationCache, noAuthentication } from '#http/declare/policy.ts'
import { document } from '#http/declare/resource.ts'
import { type Route, readDocument } from '#http/declare/route.ts'
import { escapeHtml } from '#http/html/html.ts'
import type { OpenApiDocument } from '#http/openapi/document.ts'
import { release } from '#http/server/release.ts'
import { changesPath } from '#src/server/version-notices.ts'
import { catalogRoute } from './catalog.ts'
import { changesText } from './changes-page.ts'

const policy = {
  access: noAuthentication,
  rateLimit: 'default',
  cache: documentationCache,
} as const

const openapi = document({
  name: 'openapi',
  description: 'The OpenAPI 3.1 document of the API.',
  path: '/openapi.json',
  mediaType: 'application/json; charset=utf-8',
})

const docs = document({
  name: 'docs',
  description: 'The interactive reference of the API.',
  path: '/docs',
  mediaType: 'text/html; charset=utf-8',
})

const tasks = document({
  name: 'docs_tasks',
  description: 'The commonest tasks, with curl and in TypeScript.',
  path: '/docs/tasks',
  mediaType: 'text/markdown; charset=utf-8',
})

const referenceScript = document({
  name: 'docs_reader',
  description: 'The script of the interactive reference.',
  path: '/docs/reference.js',
  mediaType: 'text/javascript; charset=utf-8',
})

const changes = document({
  name: 'changes',
  description: 'The differences between the versions of the API.',
  path: changesPath,
  mediaType: 'text/markdown; charset=utf-8',
})

/**
 * Returns the routes of the OpenAPI document and the reference, which are generated at the first
 * request.
 */
export function documentationRoutes(
  describeApi: (version: number) => OpenApiDocument,
  shopName: string,
  baseUrl: string,
): readonly Route[] {
  const openapiText = memoizeByVersion(async (version) => JSON.stringify(describeApi(version)))
  const page = memoizeByVersion(async (version) => renderPage(version, shopName))
  const script = memoize(readScript)
  const taskText = memoize(() => readTasks(baseUrl))
  return [
    readDocument(openapi, {
      operationId: 'getOpenApiDocument',
      ...policy,
      summary: 'Returns the OpenAPI document.',
      render: (_, { version }) => openapiText(version),
    }),
    readDocument(docs, {
      operationId: 'getReference',
      ...policy,
      summary: 'Returns the interactive reference; works without internet access.',
      render: (_, { version }) => page(version),
    }),
    readDocument(tasks, {
      operationId: 'getTasks',
      ...policy,
      summary: 'Returns a worked example of each of the commonest tasks.',
      render: taskText,
    }),
    readDocument(referenceScript, {
      operationId: 'getReferenceScript',
      ...policy,
      summary: 'Returns the script of the interactive reference.',
      render: script,
    }),
    readDocument(changes, {
      operationId: 'getVersionChanges',
      ...policy,
      summary: 'Returns the differences between the versions.',
      render: async () => changesText,
    }),
    catalogRoute(baseUrl),
  ]
}

// The page shows the tasks before it.
const conventionsHeading = '# Conventions'

/** The `info` object of the OpenAPI document, except its title. */
export const apiInfo = {
  version: release.version,
  license: { name: release.license, identifier: release.license },
  description: `${release.description}

\`GET /docs/tasks\` shows the commonest tasks with curl and in TypeScript.

Start at \`GET /\` and follow the links: the links of a resource are the operations that the caller may
perform on it now. Take identifiers from responses; do not construct them. Times are ISO 8601 in UTC.
Collections are paginated; the \`Link\` header links the pages. POST to the address of a collection creates
an entry. As \`application/x-ndjson\` or \`text/csv\`,
a collection is exported whole. An error has a stable \`error_code\` and
says what happened (\`message\`), why (\`details\`) and how to fix it (\`suggestion\`). A body may contain the
read-only fields of the resource, as they were read; they are ignored.

${conventionsHeading}

Select the version by path (\`/v2/products\`), media type (\`application/vnd.cartwright.v2+json\`) or query
(\`?version=2\`); \`${changesPath}\` lists the differences.

Every request may have these header fields: \`Accept-Language\`, the preferred languages of texts (en, zh,
es, fr, de; English by default); \`Accept-Encoding\`, the content codings that the client accepts (zstd, br,
gzip, deflate); \`X-Request-Id\`, which identifies the request in the response and the logs, and is generated
without it; \`Prefer: return=minimal\` of a POST, PUT or PATCH, whose response then has no body and
\`Preference-Applied\` (RFC 7240), unless it has tokens or secrets that are shown once; \`If-None-Match\` and
\`If-Modified-Since\` of a read, which answers 304 if nothing has changed; the other preconditions of RFC 9110,
which answer 412. A response that an earlier request with the same \`Idempotency-Key\` stored has
\`Idempotent-Replayed: true\`.
Every response may have the header fields of \`GET /\`, which the other operations do not repeat.

A query parameter that is a list takes its values separated by commas, or in repeated parameters; a comma
inside a value is written \`\\,\`. A list also answers QUERY (RFC 10008), which has the query in its body, as
\`application/x-www-form-urlencoded\`.

Bodies are JSON or XML, selected by \`Accept\` and \`Content-Type\`, which may also name a version. In XML, null
is an empty element with \`nil="true"\`; the schema of a body names its root element; a member whose name is no XML
name is an element \`member\` with the attribute \`name\`.`,
}

function memoizeByVersion<T>(
  make: (version: number) => Promise<T>,
): (version: number) => Promise<T> {
  const results = new Map<number, Promise<T>>()
  return (version) => {
    const result = results.get(version) ?? make(version)
    results.set(version, result)
    return result
  }
}

function memoize<T>(make: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= make()
    return result
  }
}

/** Reads the tasks, which then use this server. */
async function readTasks(baseUrl: string): Promise<string> {
  const text = await readFile(new URL('tasks.md', import.meta.url), 'utf8')
  return text.replaceAll('http://localhost:3000', baseUrl)
}

// Without this, zod in the bundle probes `eval`, which the Content-Security-Policy blocks and reports.
const disableEval = Buffer.from('globalThis.__zod_globalConfig = { jitless: true };\n')

// The tasks are part of the page, but not of the document, which others read too. The patterns of ignored
// fields are only for programs: the introduction says which fields are ignored.
const showReference = `
;(async () => {
  const heading = '${conventionsHeading}'
  const withoutIgnored = (key, value) =>
    key === 'patternProperties' && JSON.stringify(Object.values(value)) === '[{}]' ? undefined : value
  const { configuration, tasks } = document.getElementById('reference').dataset
  const { url, ...options } = JSON.parse(configuration)
  const [content, text] = await Promise.all([
    fetch(url).then((response) => response.text()).then((json) => JSON.parse(json, withoutIgnored)),
    fetch(tasks).then((response) => response.text()),
  ])
  const { description } = content.info
  content.info.description = description.replace(heading, () => text + '\\n\\n' + heading)
  Scalar.createApiReference('#reference', { ...options, content })
})()
`

const decompress = promisify(brotliDecompress)

/** Reads the bundle of several megabytes, which `npm run generate` has compressed. */
async function readScript(): Promise<Buffer> {
  const compressed = await readFile(new URL('scalar.js.br', import.meta.url))
  const scalar = await decompress(compressed)
  return Buffer.concat([disableEval, scalar, Buffer.from(showReference)])
}

// Wraps long commands, labels the code blocks of the tasks, and widens their column. Cuts off long names
// in the header of narrow screens, and draws no frame around an operation that a link has led to.
const style = `
.scalar-app header > .whitespace-nowrap { overflow: hidden; text-overflow: ellipsis; }
.section[tabindex="-1"]:focus-visible { outline: none; }
.introduction-section .section-column:first-child { flex: 1.7; }
.introduction-section .markdown { max-width: 54rem; }
.scalar-app .markdown pre code.hljs { margin-top: 0; }
.scalar-app .markdown pre code.hljs, .scalar-app .markdown pre code.hljs * { white-space: pre-wrap; overflow-wrap: anywhere; }
.markdown pre:has(.language-bash, .language-ts)::before {
  display: block; padding: 0 0 4px 2px; color: var(--scalar-color-2); font: 600 12px var(--scalar-font);
}
.markdown pre:has(.language-bash)::before { content: 'curl'; }
.markdown pre:has(.language-ts)::before { content: 'TypeScript'; }
`

// Every feature that would call an external server is disabled.
const scalarConfiguration = (prefix: string) => ({
  url: prefix + openapi.path,
  // Requests go to the host that served the page, also where it is not BASE_URL.
  servers: [{ url: prefix }],
  withDefaultFonts: false,
  customCss: style,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
})

function renderPage(version: number, shopName: string): string {
  const configuration = scalarConfiguration(`/v${version}`)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>${escapeHtml(shopName)} API reference</title>
  </head>
  <body>
    <noscript>This page needs JavaScript; <a href="${configuration.url}">the OpenAPI document</a> and <a href="${tasks.path}">the tasks</a> do not.</noscript>
    <div id="reference" data-configuration="${escapeHtml(JSON.stringify(configuration))}" data-tasks="${tasks.path}"></div>
    <script src="${referenceScript.path}"></script>
  </body>
</html>
`
}
