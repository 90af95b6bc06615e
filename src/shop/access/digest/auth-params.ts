const parameter = /^([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))\s*(?:,\s*|$)/

/** Parses auth-params (RFC 9110 11.4), names in lower case; undefined if malformed or repeated. */
export function parseAuthParams(text: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>()
  let rest = text.trim()
  while (rest !== '') {
    const match = parameter.exec(rest)
    if (!match) return undefined
    const [whole, name = '', quoted, token = ''] = match
    const key = name.toLowerCase()
    if (parameters.has(key)) return undefined
    parameters.set(key, quoted === undefined ? token : quoted.replaceAll(/\\(.)/g, '$1'))
    rest = rest.slice(whole.length)
  }
  return parameters
}

/** Decodes UTF-8 from a header field, of which Node makes one character per byte. */
const decodeUtf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')

/** The name in `username` or `username*` (RFC 8187); undefined when both or neither is valid. */
export function usernameOf(parameters: ReadonlyMap<string, string>): string | undefined {
  const plain = parameters.get('username')
  const extended = parameters.get('username*')
  if (extended === undefined) return plain === undefined ? undefined : decodeUtf8(plain)
  const [, encoded] = /^utf-8'[\w-]*'(.*)$/i.exec(extended) ?? []
  if (plain !== undefined || encoded === undefined) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
