import { problem } from '#values/problem.ts'

/** The maximum depth of nested arrays and objects in a body. */
export const maxJsonDepth = 32
/** The maximum number of values in a body: members of objects and items of arrays. */
export const maxJsonValues = 10_000

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Throws 400/4002 for JSON text that is nested too deep or has too many values: to parse it would
 * block the process. Scans the text once and does not check its syntax.
 */
export function requireBoundedJson(text: string): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = findStringEnd(text, at)
    else if (code === comma) values += 1
    else if (code === openBracket || code === openBrace) {
      depth += 1
      values += 1
      if (depth > maxJsonDepth) throw problem('4002', 'detail.json_depth', { limit: maxJsonDepth })
    } else if (code === closeBracket || code === closeBrace) depth -= 1
    if (values > maxJsonValues) throw problem('4002', 'detail.json_size', { limit: maxJsonValues })
  }
}

/** Returns the index of the closing quote, or the length of the text without one. */
function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at += 1
  }
  return text.length
}
