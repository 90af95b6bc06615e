import { createMessage, type Message } from '#i18n/message.ts'
import { isCountryCode } from '#values/countries.ts'
import type { FieldIssue } from '#values/problem.ts'

/** The bounds a schema may put on a text; lengths count code points. */
export interface TextBounds {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
}

const formats: Readonly<Record<string, { holds: (text: string) => boolean; message: Message }>> = {
  // Deliberately wide: one @, something on both sides, no white space or control characters.
  email: {
    holds: (text) => /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]+\.[^\s@.\p{Cc}]+$/u.test(text),
    message: createMessage('field.email'),
  },
  uri: { holds: isWebAddress, message: createMessage('field.uri') },
  country: { holds: isCountryCode, message: createMessage('field.country') },
}

/** Holds a value to the bounds of a text field; every finding is added to `issues`. */
export function readText(
  bounds: TextBounds,
  input: unknown,
  field: string,
  issues: FieldIssue[],
): unknown {
  const message =
    typeof input === 'string' ? wrongText(bounds, input) : createMessage('field.string')
  if (message) issues.push({ field, message })
  return input
}

function wrongText(bounds: TextBounds, text: string): Message | undefined {
  const { minLength, maxLength, pattern, format } = bounds
  if (!text.isWellFormed() || text.includes('\0')) return createMessage('field.text')
  if (minLength !== undefined && text.length < minLength) {
    return createMessage('field.min_length', { limit: minLength })
  }
  if (maxLength !== undefined && isLonger(text, maxLength)) {
    return createMessage('field.max_length', { limit: maxLength })
  }
  const known = format === undefined ? undefined : formats[format]
  if (known && !known.holds(text)) return known.message
  if (pattern !== undefined && !expressionOf(pattern).test(text)) {
    return createMessage('field.pattern', { form: pattern })
  }
  return undefined
}

/** True for a text of more code points than `limit`; each is one code unit or two. */
const isLonger = (text: string, limit: number): boolean =>
  text.length > limit && (text.length > 2 * limit || [...text].length > limit)

const expressions = new Map<string, RegExp>()

/** The patterns are those of the schemas, so there are few. */
function expressionOf(pattern: string): RegExp {
  const known = expressions.get(pattern)
  if (known) return known
  const made = new RegExp(pattern, 'u')
  expressions.set(pattern, made)
  return made
}

function isWebAddress(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url?.protocol === 'https:' || url?.protocol === 'http:'
}
