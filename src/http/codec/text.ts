import { domainToASCII, domainToUnicode } from 'node:url'
import { createMessage, type Message } from '#i18n/message.ts'
import type { Keywords } from '#schema/keywords.ts'
import { countryCodes, isCountryCode } from '#values/countries.ts'
import type { FieldIssue } from '#values/problem.ts'
import { isStorableText } from '#values/text.ts'
import { isBlank, visibleText } from '#values/text-key.ts'

interface TextFormat {
  /** The form in which a text is validated and kept; as it is by default. */
  readonly normalize?: (text: string) => string
  readonly isValid: (text: string) => boolean
  readonly message: Message
  /** The keywords of JSON Schema that state the format, as far as it can. */
  readonly keywords: Readonly<Record<string, unknown>>
}

// A dot-atom (RFC 5322 section 3.2.3) of any letters, an @, and labels of a domain with a dot between them.
const notInAtom = '\\s@.\\x00-\\x1f\\x7f-\\x9f<>()\\[\\]\\\\,;:"'
const label = `[^${notInAtom}-](?:[^${notInAtom}]*[^${notInAtom}-])?`
const email = `^(?=[^@]{1,64}@)[^${notInAtom}]+(?:\\.[^${notInAtom}]+)*@${label}(?:\\.${label})+$`

// Without controls: `URL` skips line breaks and tabs, so that it reads another text than is stored.
const webUrl = '^[Hh][Tt][Tt][Pp][Ss]?://[^/?#\\s\\x00-\\x1f\\x7f][^\\x00-\\x1f\\x7f]*$'

/**
 * True where the domain is a name as such, or its form in ASCII (IDNA): other spellings of a name, such as `%61`, are
 * the same to a resolver, and would be one address in two spellings, of which mail reaches one.
 */
function hasDomain(address: string): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  const ascii = domainToASCII(domain)
  return ascii !== '' && (domain === ascii || domain === domainToUnicode(ascii))
}

const gtin = '^(\\d{8}|\\d{12,14})$'

/** True where the last digit makes the sum, in which every second digit from it counts three times, a multiple of 10. */
const hasCheckDigit = (digits: string): boolean =>
  [...digits].reduceRight((sum, digit, at) => {
    const isTripled = (digits.length - at) % 2 === 0
    return sum + Number(digit) * (isTripled ? 3 : 1)
  }, 0) %
    10 ===
  0

const formats: Readonly<Record<string, TextFormat>> = {
  email: {
    // A keyboard of another script types letters in full width; mail goes to what they stand for.
    normalize: (text) => text.normalize('NFKC'),
    // What nobody sees would be a second spelling of an address, which its key does not tell apart.
    isValid: (text) =>
      compilePattern(email).test(text) && visibleText(text) === text && hasDomain(text),
    message: createMessage('field.email'),
    keywords: { format: 'email', pattern: email },
  },
  uri: {
    isValid: isWebUrl,
    message: createMessage('field.uri'),
    keywords: { format: 'uri', pattern: webUrl },
  },
  gtin: {
    isValid: (text) => compilePattern(gtin).test(text) && hasCheckDigit(text),
    message: createMessage('field.gtin'),
    keywords: { pattern: gtin },
  },
  country: {
    isValid: isCountryCode,
    message: createMessage('field.country'),
    keywords: { enum: countryCodes },
  },
}

/** Returns the keywords of JSON Schema that state a format; the name itself if it is unknown. */
export const keywordsOfFormat = (format: string): Readonly<Record<string, unknown>> =>
  formats[format]?.keywords ?? { format }

/** True for a text that has nothing to read, and so counts as absent. A secret may have any characters. */
export const isAbsent = (input: unknown, { writeOnly }: Keywords): boolean =>
  typeof input === 'string' && !writeOnly && isBlank(input)

/**
 * Validates a text, whose length is that of its code points, and returns it; an absent one is its default, or
 * missing where it needs characters. Adds an error to `issues`.
 */
export function validateText(
  constraints: Keywords,
  input: unknown,
  field: string,
  issues: FieldIssue[],
): unknown {
  if (isAbsent(input, constraints)) {
    if (constraints.default !== undefined) return constraints.default
    if (constraints.minLength !== undefined) {
      issues.push({ field, message: createMessage('field.empty'), missing: true })
      return input
    }
  }
  if (typeof input !== 'string') {
    issues.push({ field, message: createMessage('field.string') })
    return input
  }
  const known = constraints.format === undefined ? undefined : formats[constraints.format]
  const isShort = constraints.maxLength === undefined || !isLonger(input, constraints.maxLength)
  const text = isShort && known?.normalize ? known.normalize(input) : input
  const message = textError(constraints, known, text)
  if (message) issues.push({ field, message })
  return text
}

function textError(
  { minLength, maxLength, pattern, examples }: Keywords,
  format: TextFormat | undefined,
  text: string,
): Message | undefined {
  if (!isStorableText(text)) return createMessage('field.text')
  if (minLength !== undefined && isShorter(text, minLength)) {
    return tooFewMessage('field.min_length', minLength)
  }
  if (maxLength !== undefined && isLonger(text, maxLength)) {
    return createMessage('field.max_length', { limit: maxLength })
  }
  if (format && !format.isValid(text)) return format.message
  if (pattern !== undefined && !compilePattern(pattern).test(text)) {
    const [example] = examples ?? []
    return typeof example === 'string'
      ? createMessage('field.form', { example, form: pattern })
      : createMessage('field.pattern', { form: pattern })
  }
  return undefined
}

/** The message for a text or list with fewer than `limit` characters or entries. */
export const tooFewMessage = (
  key: 'field.min_length' | 'field.min_items',
  limit: number,
): Message => (limit === 1 ? createMessage('field.empty') : createMessage(key, { limit }))

// A code point has one or two UTF-16 code units, so most texts need not be split.
const isShorter = (text: string, limit: number): boolean =>
  text.length < limit || (text.length < 2 * limit && [...text].length < limit)
const isLonger = (text: string, limit: number): boolean =>
  text.length > limit && (text.length > 2 * limit || [...text].length > limit)

// Patterns come from schemas, so their number is bounded.
const compiledPatterns = new Map<string, RegExp>()

function compilePattern(pattern: string): RegExp {
  const known = compiledPatterns.get(pattern)
  if (known) return known
  const compiled = new RegExp(pattern, 'u')
  compiledPatterns.set(pattern, compiled)
  return compiled
}

function isWebUrl(text: string): boolean {
  return compilePattern(webUrl).test(text) && URL.canParse(text)
}
