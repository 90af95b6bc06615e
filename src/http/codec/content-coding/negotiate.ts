/** A content coding of responses (RFC 9110 section 8.4.1). */
export type ContentCoding = 'zstd' | 'br' | 'gzip' | 'deflate'

/** What an `Accept-Encoding` accepts. */
interface AcceptedCoding {
  /** The preferred coding; undefined if none is accepted, or identity is preferred. */
  readonly coding: ContentCoding | undefined
  /** True if a response without a content coding is acceptable. */
  readonly acceptsIdentity: boolean
}

/** The suffix of ETags by coding. Of codings with the same quality, the first one is preferred. */
const etagSuffixes: ReadonlyMap<ContentCoding, string> = new Map([
  ['zstd', '-zs'],
  ['br', '-br'],
  ['gzip', '-gz'],
  ['deflate', '-df'],
])
const codings = [...etagSuffixes.keys()]
/** The codings that `*` stands for: a client that does not name them may know only old ones. */
const wildcardCodings: readonly ContentCoding[] = ['gzip', 'deflate', 'br', 'zstd']

const onlyIdentity: AcceptedCoding = { coding: undefined, acceptsIdentity: true }

// Clients send few different values.
const cached = new Map<string, AcceptedCoding>()
const maxCached = 256
const maxCachedLength = 256

/** Chooses the content coding of a response by `Accept-Encoding` (RFC 9110 section 12.5.3). */
export function negotiateContentCoding(
  acceptEncoding: string | string[] | undefined,
): AcceptedCoding {
  if (acceptEncoding === undefined) return onlyIdentity
  const text = String(acceptEncoding)
  const known = cached.get(text)
  if (known) return known
  const accepted = negotiate(text)
  if (text.length <= maxCachedLength && cached.size < maxCached) cached.set(text, accepted)
  return accepted
}

function negotiate(acceptEncoding: string): AcceptedCoding {
  const qualities = parseQualities(acceptEncoding)
  const wildcard = qualities.get('*')
  const identity = qualities.get('identity')
  let coding: ContentCoding | undefined
  let maxQuality = identity ?? 0
  const named = codings.filter((candidate) => qualities.has(candidate))
  for (const candidate of [...named, ...wildcardCodings]) {
    const quality = qualities.get(candidate) ?? wildcard ?? 0
    // A coding wins over identity of the same quality.
    const isPreferred = quality > maxQuality || (quality === maxQuality && coding === undefined)
    if (quality > 0 && isPreferred) {
      coding = candidate
      maxQuality = quality
    }
  }
  const acceptsIdentity =
    identity === undefined ? wildcard !== 0 || qualities.size === 0 : identity > 0
  return { coding, acceptsIdentity }
}

/** Returns the quality of each coding, from 0 to 1; 0 for a malformed one. */
function parseQualities(acceptEncoding: string): ReadonlyMap<string, number> {
  const qualities = new Map<string, number>()
  for (const part of acceptEncoding.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
    const quality = weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, '') || 'none')
    const valid = quality >= 0 && quality <= 1 ? quality : 0
    if (name !== '') qualities.set(name === 'x-gzip' ? 'gzip' : name, valid)
  }
  return qualities
}

/** Returns the ETag of a representation in a content coding (RFC 9110 section 8.8.3.3). */
export const etagWithCoding = (etag: string, coding: ContentCoding): string =>
  `${etag.slice(0, -1)}${etagSuffixes.get(coding)}"`
