import { domainToASCII } from 'node:url'
import { textKey } from './text-key.ts'

/**
 * The unique form of a username or e-mail address: as any key, with the domain of an address in its ASCII form
 * (IDNA, UTS 46).
 */
export function accountKey(text: string): string {
  const key = textKey(text)
  const at = key.lastIndexOf('@')
  if (at === -1) return key
  const domain = key.slice(at + 1)
  return `${key.slice(0, at)}@${domainToASCII(domain) || domain}`
}
