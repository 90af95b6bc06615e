import type { Recovery } from '#shop/recovery.ts'
import { endPasswordLinks } from './token-store.ts'

/**
 * Ends the links that set a password or confirm an address. The one that undoes a change of the address
 * stays: it belongs to the holder of the former address.
 */
export const accountTokenRecovery: Recovery = {
  resources: [],
  tables: ['account_tokens', 'mails'],
  end: endPasswordLinks,
}
