import { Type } from 'typebox'
import { noAuthentication, noStore } from '#http/declare/policy.ts'
import { textItem } from '#http/declare/resource.ts'
import { read, replace } from '#http/declare/route.ts'
import { type AccountLinkParts, accountLinkOptions } from '#shop/messages/mails/account-link.ts'
import type { RecoveryParts } from '#shop/recovery.ts'
import { undoAddressChange } from './actions.ts'

const UndoBody = Type.Object({}, { additionalProperties: false })

const addressChange = (parts: AccountLinkParts) =>
  textItem({
    name: 'address_change',
    description: 'A link that undoes the change of an address, while it works.',
    path: '/address-changes/:token',
    ...accountLinkOptions(parts, 'address_change'),
    links: { undo: { to: 'address_change', operation: 'replace', body: () => ({}) } },
  })

/** The operations with which the holder of a former address gets it back. */
export function addressChangeRoutes(parts: AccountLinkParts & RecoveryParts) {
  const link = addressChange(parts)
  return [
    read(link, {
      summary: 'Reads whether the link of a mail still works.',
      access: noAuthentication,
      rateLimit: 'default',
      cache: noStore,
    }),
    replace(link, {
      operationId: 'undoAddressChange',
      summary:
        'Restores the former address by the token of a mail, once, within 72 hours; ends all sessions, keys and the password of the user.',
      access: noAuthentication,
      rateLimit: 'default',
      body: UndoBody,
      statuses: [204],
      problems: ['4092'],
      handle: async (ctx, { current }) => {
        await undoAddressChange(ctx, parts, current)
        return current
      },
    }),
  ]
}
