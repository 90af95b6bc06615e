import { Type } from 'typebox'
import { noAuthentication, noStore } from '#http/declare/policy.ts'
import { textItem } from '#http/declare/resource.ts'
import { read, replace } from '#http/declare/route.ts'
import { type AccountLinkParts, accountLinkOptions } from '#shop/messages/mails/account-link.ts'
import type { RecoveryParts } from '#shop/recovery.ts'
import { rejectEmail } from './actions.ts'

const RejectionBody = Type.Object({}, { additionalProperties: false })

const emailRejection = (parts: AccountLinkParts) =>
  textItem({
    name: 'email_rejection',
    description:
      'A link with which the holder of an address says not to have signed up, while it works.',
    path: '/email-rejections/:token',
    ...accountLinkOptions(parts, 'email_confirmation'),
    links: { reject: { to: 'email_rejection', operation: 'replace', body: () => ({}) } },
  })

/** The operations with which the holder of an address who did not sign up frees it. */
export function emailRejectionRoutes(parts: AccountLinkParts & RecoveryParts) {
  const link = emailRejection(parts)
  return [
    read(link, {
      summary: 'Reads whether the link of a mail still works.',
      access: noAuthentication,
      rateLimit: 'default',
      cache: noStore,
    }),
    replace(link, {
      operationId: 'rejectEmail',
      summary:
        'Frees an address whose holder did not sign up, by the token of a mail; ends all that was made in the account.',
      access: noAuthentication,
      rateLimit: 'default',
      body: RejectionBody,
      statuses: [204],
      handle: async (ctx, { current }) => {
        await rejectEmail(ctx, parts, current)
        return current
      },
    }),
  ]
}
