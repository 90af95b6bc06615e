const parameter = /^([\w*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))\s*(?:,\s*|$)/

/** The parameters of a credential (RFC 9110 11.4) by name in lower case; undefined where malformed. */
export function parametersIn(text: string): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>()
  let rest = text.trim()
  while (rest !== '') {
    const match = parameter.exec(rest)
    if (!match) return undefined
    const [whole, name = '', quoted, token = ''] = match
    const key = name.toLowerCase()
    if (found.has(key)) return undefined
    found.set(key, quoted === undefined ? token : quoted.replaceAll(/\\(.)/g, '$1'))
    rest = rest.slice(whole.length)
  }
  return found
}

/** Text of UTF-8 that came as bytes, as header fields do. */
const decoded = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')

/** The name in `username` or, where that is not ASCII, `username*` (RFC 8187); only one of them. */
export function usernameIn(parameters: ReadonlyMap<string, string>): string | undefined {
  const plain = parameters.get('username')
  const extended = parameters.get('username*')
  if (extended === undefined) return plain === undefined ? undefined : decoded(plain)
  const [, coded] = /^utf-8'[\w-]*'(.*)$/i.exec(extended) ?? []
  if (plain !== undefined || coded === undefined) return undefined
  try {
    return decodeURIComponent(coded)
  } catch {
    return undefined
  }
}
