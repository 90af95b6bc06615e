import { validateText } from '#http/codec/text.ts'
import { anonymous } from '#http/declare/actor.ts'
import { type Page, pageHeaders } from '#http/html/page.ts'
import { languageOf } from '#http/message/language.ts'
import type { RawRequest } from '#http/server/raw-routes.ts'
import { languages } from '#i18n/languages.ts'
import { formatMessage } from '#i18n/message.ts'
import type { ButtonLink } from '#shop/accounts/button-link.ts'
import { prepareReset, resetPassword } from '#shop/accounts/password-resets/actions.ts'
import { type PasswordCheckParts, verifyPassword } from '#shop/accounts/passwords/verify.ts'
import type { NewPasswordParts } from '#shop/accounts/users/new-password.ts'
import { Password } from '#shop/accounts/users/schema.ts'
import { findUser } from '#shop/accounts/users/store.ts'
import type { UserRow } from '#shop/accounts/users/table.ts'
import {
  type AccountLinkParts,
  type AccountToken,
  findAccountToken,
  invalidLinkProblem,
} from '#shop/messages/mails/account-link.ts'
import type { AccountTokenPurpose } from '#shop/messages/mails/table.ts'
import type { RecoveryParts } from '#shop/recovery.ts'
import type { Db } from '#store/database.ts'
import type { RunTransaction } from '#store/stale-write.ts'
import type { Instant } from '#values/instant.ts'
import { type FieldIssue, fieldProblem, Problem } from '#values/problem.ts'
import { buttonPage, type PageStyle, passwordPage, resultPage } from './render.ts'

/** What the pages that the links in mails open are made with. */
export type AccountPageParts = NewPasswordParts &
  PasswordCheckParts &
  AccountLinkParts &
  RecoveryParts & {
    readonly db: Db
    readonly transaction: RunTransaction
  }

/**
 * Answers a request for the page of a token. A GET only shows it, since mail programs follow links; a POST
 * of its form sets the password, or does what its button says; without one it is that of a new password.
 */
export async function respondToAccountPage(
  parts: AccountPageParts,
  button: ButtonLink | undefined,
  call: RawRequest,
): Promise<void> {
  const style = {
    language: languageOf(call.request.headers['accept-language']),
    shopName: parts.shopName,
  }
  const page = await pageFor(parts, button, call, style)
  const headers = { ...pageHeaders(page, []), vary: 'Accept-Language' }
  call.response.setHeader('referrer-policy', 'no-referrer')
  call.response.writeHead(page.status, headers).end(page.text)
}

async function pageFor(
  parts: AccountPageParts,
  button: ButtonLink | undefined,
  call: RawRequest,
  style: PageStyle,
): Promise<Page> {
  const purpose = button?.purpose ?? 'password_reset'
  const [, token = ''] = /\/([\w-]+)(?:\?|$)/.exec(call.url) ?? []
  const { db, accountTokens } = parts
  const found = await findAccountToken({ db, now: call.now }, accountTokens, purpose, token)
  if (!found) return resultPage(style, 404, 'gone')
  const isForm = call.request.method === 'POST'
  const account = button?.provesAccount && (await findAccountToProve(parts, found, call.now))
  if (!isForm) {
    return button ? buttonPage(style, button.prefix, account && 'asked') : passwordPage(style)
  }
  try {
    if (!button) return await setPassword(parts, call, style, { token, found })
    if (account && !(await knowsPassword(parts, call, purpose, account))) {
      return buttonPage(style, button.prefix, 'wrong')
    }
    await withToken(parts, call, purpose, token, (ctx, accountToken) =>
      button.work(ctx, parts, accountToken),
    )
    return resultPage(style, 200, `${button.prefix}.done`)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.code === '4041') return resultPage(style, 404, 'gone')
    return resultPage(style, error.status, 'failed')
  }
}

/**
 * Returns the account of a link whose password the reader must know: one that would get orders placed with the
 * address. Whoever signed up with the address of a stranger would else get theirs by a press of their button.
 */
async function findAccountToProve(
  { db, awaitsAddress }: AccountPageParts,
  { user_id }: AccountToken,
  now: Instant,
): Promise<UserRow | undefined> {
  const user = await findUser(db, user_id)
  if (!user || user.email_key === null || user.password_hash === null) return undefined
  return (await awaitsAddress(db, user.email_key, now)) ? user : undefined
}

function knowsPassword(
  parts: AccountPageParts,
  call: RawRequest,
  purpose: AccountTokenPurpose,
  account: UserRow,
): Promise<boolean> {
  const auditActor = contextOf(call, purpose).auditActor()
  const claim = { name: account.email ?? '', account, auditActor }
  return verifyPassword(parts.db, parts, claim, sentPassword(call))
}

const sentPassword = ({ body }: RawRequest): string =>
  new URLSearchParams(body.toString('utf8')).get('password') ?? ''

async function setPassword(
  parts: AccountPageParts,
  call: RawRequest,
  style: PageStyle,
  { token, found }: { readonly token: string; readonly found: AccountToken },
): Promise<Page> {
  const password = sentPassword(call)
  const texts = languages[style.language]
  try {
    const issues: FieldIssue[] = []
    validateText(Password as object, password, 'password', issues)
    if (issues.length > 0) throw fieldProblem(issues)
    const ctx = { db: parts.db, ...contextOf(call, 'password_reset') }
    const prepared = await prepareReset(parts, ctx, found, password)
    await withToken(parts, call, 'password_reset', token, (tx, accountToken) =>
      resetPassword(tx, parts, accountToken, prepared),
    )
  } catch (error) {
    const [issue] = error instanceof Problem ? error.issues : []
    if (!issue) throw error
    return passwordPage(style, formatMessage(issue.message, texts))
  }
  return resultPage(style, 200, 'reset.done')
}

type TokenWork = (
  ctx: Parameters<ButtonLink['work']>[0],
  accountToken: AccountToken,
) => Promise<void>

function contextOf({ ip: address, requestId, now }: RawRequest, credential: AccountTokenPurpose) {
  return { now, auditActor: () => ({ actorId: null, credential, address, requestId, at: now }) }
}

/** Runs work in a transaction in which the token still works. Throws 404/4041 if it does not. */
function withToken(
  { transaction, accountTokens }: AccountPageParts,
  call: RawRequest,
  purpose: AccountTokenPurpose,
  token: string,
  work: TokenWork,
): Promise<void> {
  const { now, auditActor } = contextOf(call, purpose)
  return transaction(async (db) => {
    const accountToken = await findAccountToken({ db, now }, accountTokens, purpose, token)
    if (!accountToken) throw invalidLinkProblem(purpose)
    await work({ db, now, actor: anonymous, auditActor }, accountToken)
  })
}
