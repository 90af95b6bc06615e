import type { Context } from 'oidc-provider'
import type { Library } from '#auth/oauth/library.ts'
import { languageFor } from '#auth/oauth/pages/language.ts'
import { type Page, pageFields } from '#auth/oauth/pages/page.ts'
import { signedOutPage, signOutPage } from '#auth/oauth/pages/sign-out.ts'
import { findPerson } from '#auth/oauth/store.ts'
import type { Db } from '#db/database.ts'
import { toIdentifier } from '#values/identifier.ts'

const messagesFor = ({ oidc, headers }: Context) =>
  languageFor(oidc.params?.['ui_locales'], headers['accept-language'])

function show(ctx: Context, page: Page, leadsTo: readonly string[]): void {
  ctx.set(pageFields(page, leadsTo))
  ctx.body = page.text
}

/** The pages of signing out (OpenID Connect RP-Initiated Logout 1.0), in place of the library's. */
export const logoutPages = ({ InvalidRequest }: Library['errors'], db: Db) => ({
  /** Asks whoever is signed in; refuses an ID token that is about somebody else. */
  logoutSource: async (ctx: Context): Promise<void> => {
    const { session, entities, client } = ctx.oidc
    const { accountId = '', state } = session ?? {}
    const hinted = entities.IdTokenHint?.payload.sub
    if (hinted !== undefined && hinted !== accountId) {
      throw new InvalidRequest('id_token_hint is about another user than the one signed in')
    }
    const person = await findPerson(db, toIdentifier(accountId) ?? 0)
    const page = signOutPage(messagesFor(ctx), {
      name: person?.name ?? '',
      client: client && (client.clientName ?? client.clientId),
      csrf: state?.secret ?? '',
    })
    show(ctx, page, [state?.postLogoutRedirectUri ?? ''])
  },
  postLogoutSuccessSource: async (ctx: Context): Promise<void> => {
    show(ctx, signedOutPage(messagesFor(ctx)), [])
  },
})

/**
 * Sends on at once whom there is nothing to ask, for nobody is signed in: to the address that the
 * client has registered, or to the page that says so. The library would do it by a script.
 */
export function leaveAtOnce(ctx: Context): void {
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
