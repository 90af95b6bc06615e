import type { Context } from 'oidc-provider'
import { type Page, pageHeaders } from '#http/html/page.ts'
import type { Library } from '#shop/access/oauth/library.ts'
import { localizedMessages } from '#shop/access/oauth/pages/language.ts'
import { signedOutPage, signOutPage } from '#shop/access/oauth/pages/sign-out.ts'
import { findActiveUser } from '#shop/access/oauth/store.ts'
import type { Db } from '#store/database.ts'
import { toIdentifier } from '#values/identifier.ts'

const messagesFor = (shopName: string, { oidc, headers }: Context) =>
  localizedMessages(shopName, oidc.params?.['ui_locales'], headers['accept-language'])

function show(ctx: Context, page: Page, redirectUris: readonly string[]): void {
  ctx.set(pageHeaders(page, redirectUris))
  ctx.body = page.text
}

/** The pages of OpenID Connect RP-Initiated Logout 1.0, in place of those of oidc-provider. */
export const logoutPages = (
  { InvalidRequest }: Library['errors'],
  { db, shopName }: { readonly db: Db; readonly shopName: string },
) => ({
  /** Asks for confirmation. Throws `InvalidRequest` for an ID token of another user. */
  logoutSource: async (ctx: Context): Promise<void> => {
    const { session, entities, client } = ctx.oidc
    const { accountId = '', state } = session ?? {}
    const hintedSub = entities.IdTokenHint?.payload.sub
    if (hintedSub !== undefined && hintedSub !== accountId) {
      throw new InvalidRequest('id_token_hint is about another user than the one signed in')
    }
    const user = await findActiveUser(db, toIdentifier(accountId) ?? 0)
    const page = signOutPage(messagesFor(shopName, ctx), {
      name: user?.name ?? '',
      client: client && (client.clientName ?? client.clientId),
      csrf: state?.secret ?? '',
    })
    show(ctx, page, [state?.postLogoutRedirectUri ?? ''])
  },
  postLogoutSuccessSource: async (ctx: Context): Promise<void> => {
    show(ctx, signedOutPage(messagesFor(shopName, ctx)), [])
  },
})

/**
 * Redirects a logout request without a signed-in user, to the post-logout URI of the client or else
 * to the page that confirms it. oidc-provider would do so with a script.
 */
export function redirectAnonymousLogout(ctx: Context): void {
  const { route, session } = ctx.oidc
  if (route !== 'end_session' || !session || session.accountId !== undefined) return
  if (ctx.status !== 200) return
  const { postLogoutRedirectUri, state } = session.state ?? {}
  const target = postLogoutRedirectUri === undefined ? undefined : new URL(postLogoutRedirectUri)
  if (target && state !== undefined) target.searchParams.set('state', state)
  ctx.status = 303
  ctx.redirect(target?.href ?? `${ctx.path}/success`)
  ctx.body = ''
}
