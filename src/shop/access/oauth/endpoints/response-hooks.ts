import { hash } from 'node:crypto'
import type { Context } from 'oidc-provider'
import { pageHeaders } from '#http/html/page.ts'
import { addHostPrefix, expireOldestCookies } from '#shop/access/oauth/browser/cookies.ts'
import { redirectAnonymousLogout } from '#shop/access/oauth/browser/logout.ts'
import { restoreResponseTypes } from '#shop/access/oauth/implicit.ts'
import { failurePage } from '#shop/access/oauth/pages/failure.ts'
import { localizedMessages } from '#shop/access/oauth/pages/language.ts'

/**
 * Returns a function that shows an error page, for errors that cannot be sent to the client by a
 * redirect.
 */
export const errorPage =
  (shopName: string) =>
  async (
    ctx: Context,
    { error = 'server_error', error_description }: Readonly<Record<string, string>>,
  ): Promise<void> => {
    const localized = localizedMessages(shopName, undefined, ctx.headers['accept-language'])
    const reason = error === 'server_error' ? 'server' : isExpired(ctx) ? 'expired' : 'request'
    const failure = { reason, error, description: error_description } as const
    const page = failurePage(localized, ctx.status, failure)
    ctx.set(pageHeaders(page, []))
    ctx.body = page.text
  }

const isExpired = ({ oidc }: Context): boolean =>
  oidc.route === 'resume' || oidc.route === 'end_session_confirm'

const publicRoutes = new Set(['discovery', 'jwks'])
// Shorter than a new key is published before it signs.
const publicCacheControl = 'public, max-age=300'

/** What the response hooks depend on. */
export interface ResponseHookParts {
  readonly isUnavailable: (error: unknown) => boolean
  readonly report: (error: unknown) => void
}

/**
 * The hooks that give a response of oidc-provider what every response of this server has: its own
 * CORS fields, 503 while a dependency is unavailable, and a content security policy for pages.
 */
export function createResponseHooks({ isUnavailable, report }: ResponseHookParts) {
  const unavailable = new WeakSet<Context>()
  return {
    handleServerError: (ctx: Context, error: unknown): void => {
      if (isUnavailable(error)) unavailable.add(ctx)
      else report(error)
    },
    middleware: async (ctx: Context, next: () => Promise<void>): Promise<void> => {
      const headersBefore = ctx.response.headers
      await next()
      for (const name of Object.keys(ctx.response.headers)) {
        if (name.startsWith('access-control-') && !(name in headersBefore)) {
          ctx.response.remove(name)
        }
      }
      if (unavailable.has(ctx)) return respondUnavailable(ctx)
      redirectAnonymousLogout(ctx)
      rewriteCookies(ctx)
      replaceGrantTypeError(ctx)
      restoreResponseTypes(ctx)
      if (publicRoutes.has(ctx.oidc.route)) revalidate(ctx)
      const { body } = ctx
      if (typeof body !== 'string' || !body.includes('<script>')) return
      const redirectUris = [ctx.oidc.params?.['redirect_uri'] ?? '']
      ctx.set(pageHeaders({ text: body, language: 'en' }, redirectUris))
    },
  }
}

/** Lets clients keep a document, and answers 304 to one that still has it. */
function revalidate(ctx: Context): void {
  const etag = `"${hash('sha1', JSON.stringify(ctx.body), 'base64url')}"`
  ctx.set({ 'cache-control': publicCacheControl, etag })
  if (ctx.fresh) ctx.status = 304
}

function rewriteCookies(ctx: Context): void {
  const setCookies = ctx.response.headers['set-cookie']
  if (!Array.isArray(setCookies)) return
  const expired = expireOldestCookies(ctx.headers['cookie'] ?? '')
  ctx.set({ 'set-cookie': [...addHostPrefix(setCookies), ...expired] })
}

/** A client that may not use a grant type gets `unauthorized_client` (RFC 6749 5.2). */
function replaceGrantTypeError({ oidc, body }: Context): void {
  const { route, client, params } = oidc
  const grantType = params?.['grant_type']
  if (route !== 'token' || !client || grantType === undefined) return
  if (client.grantTypeAllowed(grantType)) return
  const response = body as { error?: string } | undefined
  if (response?.error === 'invalid_request') response.error = 'unauthorized_client'
}

function respondUnavailable(ctx: Context): void {
  ctx.set({ 'retry-after': '1', 'cache-control': 'no-store' })
  ctx.status = 503
  ctx.body = { error: 'temporarily_unavailable' }
}
