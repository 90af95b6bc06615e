import { Type } from 'typebox'
import type { Context } from '#http/declare/context.ts'
import { resourceWord } from '#i18n/message.ts'
import { DateTime, timestamps } from '#schema/words.ts'
import type { AccountTokenPurpose } from '#shop/messages/mails/table.ts'
import type { AccountTokens } from '#src/secrets/account-tokens.ts'
import { problem } from '#values/problem.ts'
import { findUsableToken, type UsableToken } from './token-store.ts'

/** A link in a mail that still works. */
const AccountLink = Type.Object({
  expires_at: DateTime({ description: 'When the link stops working.' }),
  ...timestamps,
})

/** The response to a request for a mail. */
export const MailRequest = Type.Object({
  status: Type.Literal('accepted', {
    description: 'The mail is sent soon, if there is somebody to send it to.',
  }),
})

/** A token that works, in plain text. */
export interface AccountToken extends UsableToken {
  readonly token: string
}

type TokenContext = Pick<Context, 'db' | 'now'>

/** Returns a token while it works; undefined for any other text. */
export async function findAccountToken(
  { db, now }: TokenContext,
  tokens: Pick<AccountTokens, 'hash'>,
  purpose: AccountTokenPurpose,
  token: string,
): Promise<AccountToken | undefined> {
  const found = await findUsableToken(db, { hash: tokens.hash(token), purpose, now })
  return found && { ...found, token }
}

/** What makes and recognises the links in mails. */
export interface AccountLinkParts {
  readonly accountTokens: AccountTokens
}

/** What the resources of links in mails have in common. */
export const accountLinkOptions = (
  { accountTokens }: AccountLinkParts,
  purpose: AccountTokenPurpose,
) => ({
  schema: AccountLink,
  load: (ctx: TokenContext, { token }: { readonly token: string }) =>
    findAccountToken(ctx, accountTokens, purpose, token),
  pathParams: ({ token }: AccountToken) => ({ token }),
  // A further change of the address prolongs the link.
  revision: ({ created_at, expires_at }: AccountToken) => created_at + expires_at,
  changedAt: ({ created_at }: AccountToken) => [created_at],
  present: presentLink,
})

/** Returns the public fields of a link. */
const presentLink = ({ expires_at, created_at }: AccountToken) => ({
  expires_at,
  created_at,
  updated_at: created_at,
})

/** The problem of a token that does not work. */
export const invalidLinkProblem = (name: string) =>
  problem('4041', 'detail.no_resource', { name: resourceWord(name) })
