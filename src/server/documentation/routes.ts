import { changesPath } from '#http/codec/versions.ts'
import { documentation, open } from '#http/declare/policy.ts'
import { document } from '#http/declare/resource.ts'
import { type Route, serve } from '#http/declare/route.ts'
import type { OpenApi } from '#http/openapi/document.ts'
import { pluginResponse } from '#http/server/plugin-response.ts'
import { release } from '#http/server/release.ts'
import { changesText } from './changes-page.ts'

const policy = { access: open, rate: 'reads', cache: documentation } as const

const openapi = document({
  name: 'openapi',
  description: 'Everything that the API offers, as an OpenAPI 3.1 document.',
  path: '/openapi.json',
  mediaType: 'application/json; charset=utf-8',
})

const docs = document({
  name: 'docs',
  description: 'The interactive reference of the API, for people.',
  path: '/docs',
  mediaType: 'text/html; charset=utf-8',
})

const reader = document({
  name: 'docs_reader',
  description: 'The script that shows the reference.',
  path: '/docs/reference.js',
  mediaType: 'text/javascript; charset=utf-8',
})

const changes = document({
  name: 'changes',
  description: 'What is different between the versions of the API.',
  path: changesPath,
  mediaType: 'text/markdown; charset=utf-8',
})

/** Tells machines and people what the API offers; all of it is made at the first request. */
export function documentationRoutes(describeApi: (version: number) => OpenApi): readonly Route[] {
  const text = onceForEach(async (version) => JSON.stringify(describeApi(version)))
  const page = onceForEach(async (version) => pageOf(version))
  const script = once(readScript)
  return [
    serve(openapi, {
      ...policy,
      summary: 'Describes the API to machines.',
      render: (_, { version }) => text(version),
    }),
    serve(docs, {
      ...policy,
      summary: 'Shows the API to people, who can try it out; works without the internet.',
      render: (_, { version }) => page(version),
    }),
    serve(reader, {
      ...policy,
      summary: 'Sends the script of the reference.',
      render: script,
    }),
    serve(changes, {
      ...policy,
      summary: 'Tells what is different between the versions.',
      render: async () => changesText,
    }),
  ]
}

/** What the document says of the API as a whole. */
export const information = {
  title: release.name,
  version: release.version,
  license: { name: release.license, identifier: release.license },
  description: `${release.description}

Start at \`GET /\` and follow the links: every resource tells in its links what the caller may do
with it now. Identifiers are to be taken from answers and never made up. Moments are ISO 8601 in
UTC. Collections come in pages; the \`Link\` header leads through them. An error says what happened
(\`message\`), why (\`details\`) and what to do about it (\`suggestion\`), under an \`error_code\` that
stays the same.

Answers and bodies are JSON or XML, as \`Accept\` and \`Content-Type\` say. The version is named by
the path (\`/v2/products\`), by the media type (\`application/vnd.cartwright.v2+json\`) or by the
query (\`?version=2\`); what is different between them is told at \`${changesPath}\`.

In XML, null is an empty element with \`nil="true"\`; the root element of a body has the name that its schema tells.`,
}

function onceForEach<T>(make: (version: number) => Promise<T>): (version: number) => Promise<T> {
  const made = new Map<number, Promise<T>>()
  return (version) => {
    const known = made.get(version) ?? make(version)
    made.set(version, known)
    return known
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

// The reader would try whether it may make code of text, which the policy of the page forbids and
// reports; told that it may not, it does not try.
const withoutMakingCode = Buffer.from('globalThis.__zod_globalConfig = { jitless: true };\n')

/** The reader is a bundle of megabytes inside a plugin; it is asked for when somebody reads. */
async function readScript(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const options = { routePrefix: '/', configuration: { url: openapi.path } } as const
  return Buffer.concat([withoutMakingCode, await pluginResponse(plugin, options, '/js/scalar.js')])
}

// Whatever would call somebody else's server is off.
const configurationOf = (url: string) => ({
  url,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
})

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

function pageOf(version: number): string {
  const url = `/v${version}${openapi.path}`
  const configuration = configurationOf(url)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="icon" href="data:,">
    <title>${release.name} API reference</title>
  </head>
  <body>
    <noscript>This page needs JavaScript; <a href="${url}">the description</a> does not.</noscript>
    <script id="api-reference" data-configuration="${escaped(JSON.stringify(configuration))}"></script>
    <script src="${reader.path}"></script>
  </body>
</html>
`
}
