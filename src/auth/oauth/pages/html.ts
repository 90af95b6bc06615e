import { hash } from 'node:crypto'

/** Text that is HTML already. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type Piece = Html | string | number | false | undefined | readonly Html[]

/** HTML with what is filled in escaped, unless it is HTML itself; false and undefined leave nothing. */
export const html = (parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html =>
  new Html(parts.map((part, at) => part + written(pieces[at])).join(''))

function written(piece: Piece): string {
  if (piece === undefined || piece === false) return ''
  if (piece instanceof Html) return piece.text
  if (typeof piece === 'object') return piece.map(({ text }) => text).join('')
  return escaped(String(piece))
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (each) => entities[each] ?? '')

/** Names inline text in a content security policy (CSP Level 3, 2.3.1). */
export const sourceHash = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`
