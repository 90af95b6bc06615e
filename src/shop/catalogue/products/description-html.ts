import { createRequire } from 'node:module'
import type { Parser as HtmlParser } from 'htmlparser2'
import type sanitizeHtml from 'sanitize-html'
import type { IOptions } from 'sanitize-html'
import { escapeText } from '#http/codec/xml/text.ts'

// Loaded for the first description of HTML: a start takes its time without them.
const require = createRequire(import.meta.url)

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const lists = ['ul', 'ol', 'li', 'dl', 'dt', 'dd']
const tables = ['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td']
const emphasis = ['strong', 'b', 'em', 'i', 'u', 's', 'small', 'mark', 'sub', 'sup']
/** Blocks that are paragraphs in a description. */
const otherBlocks = [
  ...['div', 'section', 'article', 'header', 'footer', 'main', 'aside', 'figure', 'figcaption'],
  ...['address', 'blockquote', 'pre', 'center'],
]
const spans = ['colspan', 'rowspan']

const options: IOptions = {
  allowedTags: [...headings, ...lists, ...tables, ...emphasis, 'p', 'br', 'hr', 'a', 'img'],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    th: [...spans, 'scope'],
    td: spans,
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  transformTags: {
    a: (tagName, attribs) => ({ tagName, attribs: { ...attribs, rel: 'noopener noreferrer' } }),
    ...Object.fromEntries(otherBlocks.map((name) => [name, 'p'])),
  },
  exclusiveFilter: ({ tag, attribs }) =>
    tag === 'img' && !/^https:\/\/[^/]/i.test(attribs['src'] ?? ''),
  nestingLimit: 30,
  parseStyleAttributes: false,
}

/** The largest number of tags of a description: what takes the longest to read. */
export const maxTags = 3000

/** Returns how many tags a text of HTML has at most. */
export const countTags = (html: string): number => html.split('<').length - 1

/**
 * Returns HTML with headings, lists, links, tables, emphasis and pictures of https only; other blocks are paragraphs, and
 * of other elements the text is left, if it is one to read.
 */
export function sanitize(html: string): string {
  const clean = require('sanitize-html') as typeof sanitizeHtml
  // A reference may stand for what no database stores.
  return clean(html, options).replaceAll('\0', '').toWellFormed().trim()
}

/** How many line breaks stand between a block and what is around it. */
const breaksAround: Readonly<Record<string, number>> = {
  ...Object.fromEntries([...headings, ...lists, 'p', 'hr', 'table'].map((name) => [name, 2])),
  ...Object.fromEntries(['li', 'dt', 'dd', 'tr', 'caption'].map((name) => [name, 1])),
}

/** Returns the text of sanitized HTML, with a line for each line of it and an empty one between paragraphs. */
export function textOf(html: string): string {
  const { Parser } = require('htmlparser2') as { readonly Parser: typeof HtmlParser }
  let text = ''
  let breaks = 0
  const breakLines = (name: string): void => {
    breaks = Math.max(breaks, breaksAround[name] ?? 0)
  }
  const parser = new Parser({
    onopentagname: (name) => {
      if (name === 'br') text += '\n'
      else if (name === 'td' || name === 'th') text += ' '
      else breakLines(name)
    },
    ontext: (part) => {
      const words = part.replace(/[ \t\r\n\f]+/g, ' ')
      if (breaks > 0 && words !== ' ') text += '\n'.repeat(breaks)
      if (words !== ' ') breaks = 0
      text += words
    },
    onclosetag: breakLines,
  })
  parser.end(html)
  const lines = text.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' '))
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** Returns the HTML of a plain text: a paragraph for each, with its line breaks. */
export function htmlOf(text: string): string {
  if (text === '') return ''
  const escaped = escapeText(text.replace(/\r\n?/g, '\n'))
  const paragraphs = escaped.split(/\n{2,}/).map((lines) => lines.trim())
  return paragraphs
    .filter((lines) => lines !== '')
    .map((lines) => `<p>${lines.replaceAll('\n', '<br />')}</p>`)
    .join('')
}
