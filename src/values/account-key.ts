import { domainToASCII } from 'node:url'
import { textKey, visibleText } from './text-key.ts'

/**
 * The unique form of a username or e-mail address: as any key, but with the domain of an address in its ASCII
 * form (IDNA, UTS 46), and before it lower case alone: `ß` and `ss`, `ı` and `i` are different mailboxes.
 */
export function accountKey(text: string): string {
  const key = textKey(text)
  if (!key.includes('@') || text.length > maxAddressLength) return key
  const [local = '', ...domain] = visibleText(text)
    .trim()
    .split(/@(?!.*@)/s)
  const name = local.toLowerCase().normalize('NFKC').replace(/\s+/g, ' ')
  return `${name}@${domainToASCII(domain.join('@')) || textKey(domain.join('@'))}`
}

/** No address that is accepted is longer. */
const maxAddressLength = 2000
