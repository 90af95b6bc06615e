import { documentationCache, noAuthentication } from '#http/declare/policy.ts'
import { document } from '#http/declare/resource.ts'
import { type Route, readDocument } from '#http/declare/route.ts'

const path = '/.well-known/api-catalog'

/** The answer to HEAD has the relation of the catalog, too (RFC 9727 section 2). */
const apiCatalog = (baseUrl: string) =>
  document({
    name: 'api_catalog',
    description: 'A link set (RFC 9264) in the profile of API catalogs (RFC 9727).',
    path,
    mediaType: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    link: `<${baseUrl}${path}>; rel="api-catalog"`,
  })

/** Returns the route of the API catalog, whose links are absolute. */
export const catalogRoute = (baseUrl: string): Route =>
  readDocument(apiCatalog(baseUrl), {
    operationId: 'getApiCatalog',
    access: noAuthentication,
    rateLimit: 'default',
    cache: documentationCache,
    summary: 'Returns where the API, its description and its status are.',
    render: async () => JSON.stringify(linkSetOf(baseUrl)),
  })

const linkSetOf = (baseUrl: string) => ({
  linkset: [
    { anchor: `${baseUrl}${path}`, item: [{ href: `${baseUrl}/` }] },
    {
      anchor: `${baseUrl}/`,
      'service-desc': [{ href: `${baseUrl}/openapi.json`, type: 'application/json' }],
      'service-doc': [{ href: `${baseUrl}/docs`, type: 'text/html' }],
      status: [{ href: `${baseUrl}/health/ready`, type: 'application/json' }],
    },
  ],
})
