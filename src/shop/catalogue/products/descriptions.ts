import { createMessage, type Message } from '#i18n/message.ts'
import { fieldProblem } from '#values/problem.ts'
import { countTags, htmlOf, maxTags, sanitize, textOf } from './description-html.ts'
import { maxHtmlLength, maxTextLength } from './fields.ts'
import type { ProductRow } from './table.ts'

/** The description of a product as text and as HTML, which is null where it is only the paragraphs of the text. */
type Description = Pick<ProductRow, 'description' | 'description_html'>

/** What a body has of it. */
type GivenDescription = Partial<Readonly<Record<keyof Description, string | null>>>

/** The HTML of a description, which one without any has of its text. */
export const shownHtml = ({ description, description_html }: Description): string =>
  description_html ?? htmlOf(description)

/**
 * Returns the description after a change: the HTML decides the text, or the text alone has no HTML. What is sent as it was
 * read does not count, so that a client may send a whole product of which it has changed one of both. Throws 422/4221
 * for HTML that is too large, and for both with different texts.
 */
export function describe(before: Description, given: GivenDescription): Description {
  const { description: text, description_html: html } = given
  const isTextRead = text === undefined || text === before.description
  const unchanged = { description: before.description, description_html: before.description_html }
  if (html === undefined || html === shownHtml(before)) {
    return isTextRead ? unchanged : { description: text ?? '', description_html: null }
  }
  if (html === null) return { description: text ?? '', description_html: null }
  const { description, description_html } = read(html)
  const isSame = typeof text === 'string' && wordsOf(text) === wordsOf(description)
  if (isSame) return { description: text, description_html: withoutPlain(text, description_html) }
  if (!isTextRead && text !== null) throw invalid(createMessage('field.html_text_differs'))
  return { description, description_html: withoutPlain(description, description_html) }
}

/** Returns the sanitized HTML and its text. Throws 422/4221 where it is too large. */
function read(html: string): { readonly description: string; readonly description_html: string } {
  if (countTags(html) > maxTags) throw invalid(createMessage('field.html_tags', { limit: maxTags }))
  const description_html = sanitize(html)
  const description = textOf(description_html)
  if (Array.from(description).length > maxTextLength) {
    throw invalid(createMessage('field.html_text_length', { limit: maxTextLength }))
  }
  if (description_html.length > maxHtmlLength) {
    throw invalid(createMessage('field.max_length', { limit: maxHtmlLength }))
  }
  return { description, description_html }
}

const invalid = (message: Message) => fieldProblem([{ field: 'description_html', message }])

const withoutPlain = (text: string, html: string): string | null =>
  html === htmlOf(text) ? null : html

const wordsOf = (text: string): string => text.replace(/\s+/g, ' ').trim()
