import type { ButtonLink } from '#shop/accounts/button-link.ts'
import { undoAddressChange } from './actions.ts'

/** The link with which the holder of a former address gets it back. */
export const addressChangeLink: ButtonLink = {
  name: 'address_change',
  description: 'A link that undoes the change of an address, while it works.',
  segment: 'address-changes',
  purpose: 'address_change',
  links: { undo: 'address_change' },
  operationId: 'undoAddressChange',
  summary:
    'Restores the former address by the token of a mail, once, within 72 hours; ends all sessions, keys and the password of the user.',
  problems: ['4092'],
  prefix: 'undo',
  work: undoAddressChange,
}
