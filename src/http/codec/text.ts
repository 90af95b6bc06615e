import { createMessage, type Message } from '#i18n/message.ts'
import { isCountryCode } from '#values/countries.ts'
import type { FieldIssue } from '#values/problem.ts'

/** The constraints of a text; lengths count code points. */
interface TextConstraints {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
}

const formats: Readonly<Record<string, { isValid: (text: string) => boolean; message: Message }>> =
  {
    // Lenient: an @ between a local part and a domain with a dot, no white space or controls.
    email: {
      isValid: (text) => /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]+\.[^\s@.\p{Cc}]+$/u.test(text),
      message: createMessage('field.email'),
    },
    uri: { isValid: isWebUrl, message: createMessage('field.uri') },
    country: { isValid: isCountryCode, message: createMessage('field.country') },
  }

/** Validates a text and returns it; adds an error to `issues`. */
export function validateText(
  constraints: TextConstraints,
  input: unknown,
  field: string,
  issues: FieldIssue[],
): unknown {
  const message =
    typeof input === 'string' ? textError(constraints, input) : createMessage('field.string')
  if (message) issues.push({ field, message })
  return input
}

function textError(
  { minLength, maxLength, pattern, format }: TextConstraints,
  text: string,
): Message | undefined {
  if (!text.isWellFormed() || text.includes('\0')) return createMessage('field.text')
  if (minLength !== undefined && isShorter(text, minLength)) {
    return createMessage('field.min_length', { limit: minLength })
  }
  if (maxLength !== undefined && isLonger(text, maxLength)) {
    return createMessage('field.max_length', { limit: maxLength })
  }
  const known = format === undefined ? undefined : formats[format]
  if (known && !known.isValid(text)) return known.message
  if (pattern !== undefined && !compilePattern(pattern).test(text)) {
    return createMessage('field.pattern', { form: pattern })
  }
  return undefined
}

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
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' || url?.protocol === 'http:'
}
