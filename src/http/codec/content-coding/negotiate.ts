/** A content coding that answers are sent in (RFC 9110 8.4.1). */
export type Coding = 'zstd' | 'br' | 'gzip' | 'deflate'

/** How an answer may be coded: in the coding that is most welcome, or as it is. */
export interface AcceptedCoding {
  readonly coding: Coding | undefined
  /** False where the client does not take an answer that is not coded. */
  readonly plain: boolean
}

/** Every coding, and what tells its ETags from the others'; of equally welcome ones, the first. */
const marks: ReadonlyMap<Coding, string> = new Map([
  ['zstd', '-zs'],
  ['br', '-br'],
  ['gzip', '-gz'],
  ['deflate', '-df'],
])

const plainOnly: AcceptedCoding = { coding: undefined, plain: true }
const remembered = new Map<string, AcceptedCoding>()
const maxRemembered = 256
const maxRememberedLength = 256

/** Reads an Accept-Encoding (RFC 9110 12.5.3); clients send few different ones, so it is remembered. */
export function acceptedCodingOf(acceptEncoding: string | string[] | undefined): AcceptedCoding {
  if (acceptEncoding === undefined) return plainOnly
  const text = String(acceptEncoding)
  const known = remembered.get(text)
  if (known) return known
  const acceptedCoding = read(text)
  if (text.length <= maxRememberedLength && remembered.size < maxRemembered) {
    remembered.set(text, acceptedCoding)
  }
  return acceptedCoding
}

function read(text: string): AcceptedCoding {
  const qualities = new Map<string, number>()
  for (const part of text.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
    const weight = parameters.find((parameter) => /^q\s*=/.test(parameter))
    const quality = weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, '') || 'none')
    const sane = quality >= 0 && quality <= 1 ? quality : 0
    if (name !== '') qualities.set(name === 'x-gzip' ? 'gzip' : name, sane)
  }
  const any = qualities.get('*')
  const asked = qualities.get('identity')
  let coding: Coding | undefined
  let most = asked ?? 0
  for (const name of marks.keys()) {
    const quality = qualities.get(name) ?? any ?? 0
    // As welcome as no coding is enough; of two codings, the first.
    if (quality > 0 && (quality > most || (quality === most && coding === undefined))) {
      coding = name
      most = quality
    }
  }
  return { coding, plain: asked === undefined ? any !== 0 || qualities.size === 0 : asked > 0 }
}

/** The ETag of the same representation in a coding. */
export const codedTag = (etag: string, coding: Coding): string =>
  `${etag.slice(0, -1)}${marks.get(coding)}"`
