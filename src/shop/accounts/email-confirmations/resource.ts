import { Type } from 'typebox'
import { singleton } from '#http/declare/resource.ts'
import { accepted } from '#http/declare/results.ts'
import { create } from '#http/declare/route.ts'
import { resourceWord } from '#i18n/message.ts'
import { buttonLinkRoutes } from '#shop/accounts/button-link.ts'
import { userInPathOrAdmin } from '#shop/accounts/users/access.ts'
import { findUser } from '#shop/accounts/users/store.ts'
import { type AccountLinkParts, MailRequest } from '#shop/messages/mails/account-link.ts'
import type { RecoveryParts } from '#shop/recovery.ts'
import { problem } from '#values/problem.ts'
import { requestConfirmation } from './actions.ts'
import { confirmationLink, rejectionLink } from './links.ts'

const RequestBody = Type.Object({}, { additionalProperties: false })

const confirmationRequest = singleton({
  name: 'email_confirmation_request',
  description: 'A request for a mail with a link to confirm the address of a user.',
  path: '/users/:id/email-confirmations',
  isWriteOnly: true,
  schema: MailRequest,
  load: async (): Promise<{ readonly user_id: number } | undefined> => undefined,
  pathParams: ({ user_id }) => ({ id: user_id }),
  revision: () => 0,
  owner: ({ user_id }) => user_id,
  present: () => ({ status: 'accepted' }),
  links: {
    self: { to: 'email_confirmation_request', operation: 'create' },
    user: { to: 'user' },
  },
})

/** The operations with which users confirm their address, or free one that others signed up with. */
export function emailConfirmationRoutes(parts: AccountLinkParts & RecoveryParts) {
  return [
    create(confirmationRequest, {
      operationId: 'requestEmailConfirmation',
      summary: 'Sends the mail again with which a user confirms the address.',
      access: userInPathOrAdmin('users:write'),
      rateLimit: 'uploads',
      body: RequestBody,
      statuses: [202],
      problems: ['4091'],
      handle: async (ctx, { params }) => {
        const user = await findUser(ctx.db, params.id)
        if (!user) throw problem('4041', 'detail.no_resource', { name: resourceWord('user') })
        await requestConfirmation(ctx, user)
        return accepted({ user_id: user.id })
      },
    }),
    ...buttonLinkRoutes(parts, confirmationLink),
    ...buttonLinkRoutes(parts, rejectionLink),
  ]
}
