import { Type } from 'typebox'
import { noAuthentication, noStore } from '#http/declare/policy.ts'
import { singleton, textItem } from '#http/declare/resource.ts'
import { accepted } from '#http/declare/results.ts'
import { create, read, replace } from '#http/declare/route.ts'
import { userInPathOrAdmin } from '#shop/accounts/users/access.ts'
import { findUser } from '#shop/accounts/users/store.ts'
import {
  type AccountLinkParts,
  accountLinkOptions,
  MailRequest,
} from '#shop/messages/mails/account-link.ts'
import type { RecoveryParts } from '#shop/recovery.ts'
import { problem } from '#values/problem.ts'
import { confirmEmail, requestConfirmation } from './actions.ts'

// Two bodies without fields: each has an XML root element of its own.
const RequestBody = Type.Object({}, { additionalProperties: false })
const ConfirmationBody = Type.Object({}, { additionalProperties: false })

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

const confirmationItem = (parts: AccountLinkParts) =>
  textItem({
    name: 'email_confirmation',
    description: 'A link to confirm an address, while it works.',
    path: '/email-confirmations/:token',
    ...accountLinkOptions(parts, 'email_confirmation'),
    links: {
      confirm: { to: 'email_confirmation', operation: 'replace', body: () => ({}) },
      reject: { to: 'email_rejection', operation: 'replace', body: () => ({}) },
    },
  })

/** The operations with which users confirm their address. */
export function emailConfirmationRoutes(parts: AccountLinkParts & RecoveryParts) {
  const confirmation = confirmationItem(parts)
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
        if (!user) throw problem('4041', 'detail.no_resource', { name: 'user' })
        await requestConfirmation(ctx, user)
        return accepted({ user_id: user.id })
      },
    }),
    read(confirmation, {
      summary: 'Reads whether the link of a mail still works.',
      access: noAuthentication,
      rateLimit: 'default',
      cache: noStore,
    }),
    replace(confirmation, {
      operationId: 'confirmEmail',
      summary: 'Confirms an address by the token of a mail, once, within three days.',
      access: noAuthentication,
      rateLimit: 'default',
      body: ConfirmationBody,
      statuses: [204],
      handle: async (ctx, { current }) => {
        await confirmEmail(ctx, parts, current)
        return current
      },
    }),
  ]
}
