import type { Context } from 'oidc-provider'
import { cookiesForHost, droppedCookies } from '#auth/oauth/browser/cookies.ts'
import { leaveAtOnce } from '#auth/oauth/browser/logout.ts'
import { nameResponseTypes } from '#auth/oauth/implicit.ts'
import { failurePage } from '#auth/oauth/pages/failure.ts'
import { languageFor } from '#auth/oauth/pages/language.ts'
import { pageFields } from '#auth/oauth/pages/page.ts'

/** Shows an error to somebody whom the library cannot send back to the client. */
export async function showError(
  ctx: Context,
  { error = 'server_error', error_description }: Readonly<Record<string, string>>,
): Promise<void> {
  const localized = languageFor(undefined, ctx.headers['accept-language'])
  const reason = error === 'server_error' ? 'server' : isExpiry(ctx) ? 'expired' : 'request'
  const failure = { reason, error, description: error_description } as const
  const page = failurePage(localized, ctx.status, failure)
  ctx.set(pageFields(page, []))
  ctx.body = page.text
}

const isExpiry = ({ oidc }: Context): boolean =>
  oidc.route === 'resume' || oidc.route === 'end_session_confirm'

const publicRoutes = new Set(['discovery', 'jwks'])
// Less than a key is told of before it signs.
const publicly = 'public, max-age=300'

/**
 * Dresses what the library has answered as every answer of this server is: read by pages of the
 * origins that are allowed alone, 503 where a part is away, and a page of the library's own runs
 * its own script alone.
 */
export function openResponseHooks(dependencies: {
  readonly isUnavailable: (error: unknown) => boolean
  readonly report: (error: unknown) => void
}) {
  const unavailable = new WeakSet<Context>()
  return {
    /** Hears of what went wrong in the library. */
    note: (ctx: Context, error: unknown): void => {
      if (dependencies.isUnavailable(error)) unavailable.add(ctx)
      else dependencies.report(error)
    },
    representationOptions: async (ctx: Context, next: () => Promise<void>): Promise<void> => {
      const known = ctx.response.headers
      await next()
      for (const name of Object.keys(ctx.response.headers)) {
        if (name.startsWith('access-control-') && !(name in known)) ctx.response.remove(name)
      }
      if (unavailable.has(ctx)) return beUnavailable(ctx)
      leaveAtOnce(ctx)
      nameCookies(ctx)
      nameUnauthorized(ctx)
      nameResponseTypes(ctx)
      if (publicRoutes.has(ctx.oidc.route)) ctx.set({ 'cache-control': publicly })
      const { body } = ctx
      if (typeof body !== 'string' || !body.includes('<script>')) return
      const leadsTo = [ctx.oidc.params?.['redirect_uri'] ?? '']
      ctx.set(pageFields({ text: body, language: 'en' }, leadsTo))
    },
  }
}

/** Names cookies as the prefix demands. */
function nameCookies(ctx: Context): void {
  const lines = ctx.response.headers['set-cookie']
  if (!Array.isArray(lines)) return
  const dropped = droppedCookies(ctx.headers['cookie'] ?? '')
  ctx.set({ 'set-cookie': [...cookiesForHost(lines), ...dropped] })
}

/** A client that asks by a grant it is not registered for is told so by its own error (RFC 6749 5.2). */
function nameUnauthorized({ oidc, body }: Context): void {
  const { route, client, params } = oidc
  const grant = params?.['grant_type']
  if (route !== 'token' || !client || grant === undefined || client.grantTypeAllowed(grant)) return
  const told = body as { error?: string } | undefined
  if (told?.error === 'invalid_request') told.error = 'unauthorized_client'
}

function beUnavailable(ctx: Context): void {
  ctx.set({ 'retry-after': '1', 'cache-control': 'no-store' })
  ctx.status = 503
  ctx.body = { error: 'temporarily_unavailable' }
}
