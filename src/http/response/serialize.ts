import { compress, compressForReuse } from '#http/codec/content-coding/compress.ts'
import type { ContentCoding } from '#http/codec/content-coding/negotiate.ts'
import { type AdmittedExchange, codecFor } from '#http/exchange/exchange.ts'
import { staticPageHeaders } from '#http/message/security-headers.ts'

type Bytes = Buffer | Promise<Buffer>

/** A serialized body, which may be sent several times; each content coding is computed once. */
export class SerializedBody {
  readonly text: string | Buffer
  readonly headers: Readonly<Record<string, string>>
  readonly #encoded = new Map<ContentCoding, Bytes>()
  readonly #compress: (text: string | Buffer, coding: ContentCoding) => Bytes

  /** `isReused` selects a slower compression with a smaller result. */
  constructor(
    text: string | Buffer,
    headers: Readonly<Record<string, string>>,
    { isReused = false } = {},
  ) {
    this.text = text
    this.headers = headers
    this.#compress = isReused ? compressForReuse : compress
  }

  /** The size without a content coding. */
  get bytes(): number {
    return Buffer.byteLength(this.text)
  }

  /** Returns the body in a content coding. */
  encode(coding: ContentCoding): Bytes {
    const known = this.#encoded.get(coding)
    if (known) return known
    const encoded = this.#compress(this.text, coding)
    this.#encoded.set(coding, encoded)
    return encoded
  }
}

/** Serializes the value of a body in the negotiated media type. */
export function serialize(exchange: AdmittedExchange, value: unknown): SerializedBody {
  const { format, contentType } = exchange.representation
  if (format === 'html') {
    return new SerializedBody(renderHtml(exchange, value), {
      'content-type': contentType,
      ...staticPageHeaders,
    })
  }
  const text = format === 'xml' ? codecFor(exchange).writeXml(value) : JSON.stringify(value)
  return new SerializedBody(text, { 'content-type': contentType })
}

function renderHtml({ route, language }: AdmittedExchange, value: unknown): string {
  const page = 'page' in route.resource ? route.resource.page : undefined
  if (!page) throw new TypeError(`${route.path} has no HTML page`)
  return page(value, language)
}
