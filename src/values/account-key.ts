import { domainToASCII } from 'node:url'
import { textKey, visibleText } from './text-key.ts'

/**
 * The unique form of a username or e-mail address: as any key, but with the domain of an address in its ASCII
 * form (IDNA, UTS 46), in which `ß` and `ss` differ.
 */
export function accountKey(text: string): string {
  const key = textKey(text)
  if (!key.includes('@')) return key
  const [local = '', ...domain] = visibleText(text)
    .trim()
    .split(/@(?!.*@)/s)
  return `${textKey(local)}@${domainToASCII(domain.join('@')) || textKey(domain.join('@'))}`
}
