import { documentationCache, noAuthentication } from '#http/declare/policy.ts'
import { document } from '#http/declare/resource.ts'
import { type Route, serve } from '#http/declare/route.ts'
import type { OpenApiDocument } from '#http/openapi/document.ts'
import { pluginResponse } from '#http/server/plugin-response.ts'
import { release } from '#http/server/release.ts'
import { changesPath } from '#src/server/api-versions.ts'
import { changesText } from './changes-page.ts'

const policy = { access: noAuthentication, rateLimit: 'reads', cache: documentationCache } as const

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

/** Returns the routes of the OpenAPI document and the reference, which are generated at the first request. */
export function documentationRoutes(
  describeApi: (version: number) => OpenApiDocument,
): readonly Route[] {
  const openapiText = memoizeByVersion(async (version) => JSON.stringify(describeApi(version)))
  const page = memoizeByVersion(async (version) => renderPage(version))
  const script = memoize(readScript)
  return [
    serve(openapi, {
      ...policy,
      summary: 'Returns the OpenAPI document.',
      render: (_, { version }) => openapiText(version),
    }),
    serve(docs, {
      ...policy,
      summary: 'Returns the interactive reference; works without internet access.',
      render: (_, { version }) => page(version),
    }),
    serve(referenceScript, {
      ...policy,
      summary: 'Returns the script of the interactive reference.',
      render: script,
    }),
    serve(changes, {
      ...policy,
      summary: 'Returns the differences between the versions.',
      render: async () => changesText,
    }),
  ]
}

/** The `info` object of the OpenAPI document. */
export const information = {
  title: release.name,
  version: release.version,
  license: { name: release.license, identifier: release.license },
  description: `${release.description}

Start at \`GET /\` and follow the links: the links of a resource are the operations that the caller may
perform on it now. Take identifiers from responses; do not construct them. Times are ISO 8601 in UTC.
Collections are paginated; the \`Link\` header links the pages. An error has a stable \`error_code\` and
says what happened (\`message\`), why (\`details\`) and how to fix it (\`suggestion\`).

Bodies are JSON or XML, selected by \`Accept\` and \`Content-Type\`. Select the version by path
(\`/v2/products\`), media type (\`application/vnd.cartwright.v2+json\`) or query (\`?version=2\`);
\`${changesPath}\` lists the differences.

In XML, null is an empty element with \`nil="true"\`; the schema of a body names its root element.`,
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

// Without this, zod in the bundle probes `eval`, which the Content-Security-Policy blocks and reports.
const disableEval = Buffer.from('globalThis.__zod_globalConfig = { jitless: true };\n')

/** Reads the bundle of several megabytes from the plugin, which is loaded only when needed. */
async function readScript(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const options = { routePrefix: '/', configuration: { url: openapi.path } } as const
  return Buffer.concat([disableEval, await pluginResponse(plugin, options, '/js/scalar.js')])
}

// Every feature that would call an external server is disabled.
const scalarConfiguration = (url: string) => ({
  url,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
})

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

function renderPage(version: number): string {
  const url = `/v${version}${openapi.path}`
  const configuration = scalarConfiguration(url)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>${release.name} API reference</title>
  </head>
  <body>
    <noscript>This page needs JavaScript; <a href="${url}">the OpenAPI document</a> does not.</noscript>
    <script id="api-reference" data-configuration="${escapeHtml(JSON.stringify(configuration))}"></script>
    <script src="${referenceScript.path}"></script>
  </body>
</html>
`
}
