import type { RawRoute } from '#http/server/raw-routes.ts'
import type { ProviderClient } from '#shop/providers/http/provider-client.ts'

/** The path under which this server serves the pages of the sandbox. */
export const pagePath = '/sandbox/payments'

/** The routes of the page to which the sandbox sends buyers; loaded with its first request. */
export function sandboxPageRoutes(client: ProviderClient, shopName: string): readonly RawRoute[] {
  const respond: RawRoute['respond'] = async ({ request, response, body, url }) => {
    const { respondToPage } = await import('./respond.ts')
    const [, secret = ''] = /\/([\w-]+)(?:\?|$)/.exec(url) ?? []
    const { method = 'GET', headers } = request
    const page = await respondToPage(client, { method, secret, headers, body, shopName })
    response.writeHead(page.status, page.headers).end(page.text)
  }
  const path = `${pagePath}/:secret`
  return [
    { method: 'GET', path, respond },
    { method: 'POST', path, respond },
  ]
}
