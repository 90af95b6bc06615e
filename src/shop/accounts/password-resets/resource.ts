import { noAuthentication, noStore } from '#http/declare/policy.ts'
import { singleton, textItem } from '#http/declare/resource.ts'
import { accepted } from '#http/declare/results.ts'
import { create, read, replace } from '#http/declare/route.ts'
import type { NewPasswordParts } from '#shop/accounts/users/new-password.ts'
import {
  type AccountLinkParts,
  accountLinkOptions,
  findAccountToken,
  invalidLinkProblem,
  MailRequest,
} from '#shop/messages/mails/account-link.ts'
import type { RecoveryParts } from '#shop/recovery.ts'
import { prepareReset, requestPasswordReset, resetPassword } from './actions.ts'
import { NewPassword, ResetRequestBody } from './schema.ts'

const resetRequest = singleton({
  name: 'password_reset_request',
  description: 'A request for a mail with a link to choose a new password.',
  path: '/password-resets',
  isWriteOnly: true,
  schema: MailRequest,
  load: async (): Promise<{ readonly status: 'accepted' } | undefined> => undefined,
  pathParams: () => ({}),
  revision: () => 0,
  present: (request) => request,
  links: { self: { to: 'password_reset_request', operation: 'create' } },
})

const resetItem = (parts: AccountLinkParts) =>
  textItem({
    name: 'password_reset',
    description: 'A link to choose a new password, while it works.',
    path: '/password-resets/:token',
    ...accountLinkOptions(parts, 'password_reset'),
    links: {
      replace: {
        to: 'password_reset',
        operation: 'replace',
        body: () => ({ password: 'string' }),
      },
    },
  })

/** The operations for users who have forgotten their password. */
export function passwordResetRoutes(parts: NewPasswordParts & AccountLinkParts & RecoveryParts) {
  const { accountTokens } = parts
  const reset = resetItem(parts)
  return [
    create(resetRequest, {
      operationId: 'requestPasswordReset',
      summary:
        'Sends a mail with a link to choose a new password, if there is an account with the address; answers the same if there is none.',
      access: noAuthentication,
      rateLimit: 'credentials',
      // Apart from the counter of sign-ins, so that requests for resets lock nobody out.
      loginName: ({ email }) => `password reset ${email}`,
      body: ResetRequestBody,
      statuses: [202],
      handle: async (ctx, { body }) => {
        await requestPasswordReset(ctx, body.email)
        return accepted({ status: 'accepted' as const })
      },
    }),
    read(reset, {
      summary: 'Reads whether the link of a mail still works.',
      access: noAuthentication,
      rateLimit: 'default',
      cache: noStore,
    }),
    replace(reset, {
      operationId: 'resetPassword',
      summary:
        'Sets a new password by the token of a mail, once, within an hour; ends all sessions, API keys, grants, acting clients and webhooks of the user.',
      access: noAuthentication,
      rateLimit: 'default',
      body: NewPassword,
      statuses: [204],
      problems: ['4092', '4291'],
      // Only the holder of a token makes the server hash a password.
      prepare: async ({ password }, ctx, { token = '' }) => {
        const found = await findAccountToken(ctx, accountTokens, 'password_reset', String(token))
        if (!found) throw invalidLinkProblem('password_reset')
        return prepareReset(parts, ctx, found, password)
      },
      handle: async (ctx, { current, prepared }) => {
        await resetPassword(ctx, parts, current, prepared)
        return current
      },
    }),
  ]
}
