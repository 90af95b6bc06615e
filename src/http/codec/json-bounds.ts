import { problem } from '#values/problem.ts'

/** How deep arrays and objects of a body may be nested. */
export const jsonDepthLimit = 32
/** How many values a body may hold: the fields of its objects and the entries of its arrays. */
export const jsonValueLimit = 10_000

const quote = 0x22
const comma = 0x2c
const backslash = 0x5c
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/**
 * Throws 400/4002 for a text in JSON that is nested too deep or holds too many values. It reads the
 * text once and builds nothing: a small body can be many values, which take far longer to read than
 * its bytes. Whether the text is well-formed is not looked at.
 */
export function requireBoundedJson(text: string): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === comma) values += 1
    else if (code === openBracket || code === openBrace) {
      depth += 1
      values += 1
      if (depth > jsonDepthLimit)
        throw problem('4002', 'detail.json_depth', { limit: jsonDepthLimit })
    } else if (code === closeBracket || code === closeBrace) depth -= 1
    if (values > jsonValueLimit)
      throw problem('4002', 'detail.json_size', { limit: jsonValueLimit })
  }
}

/** Where a string that begins at `start` ends; the end of the text where it does not. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    if (code === backslash) at += 1
  }
  return text.length
}
