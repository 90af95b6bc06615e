import { compress, compressHarder } from '#http/codec/content-coding/compress.ts'
import type { Coding } from '#http/codec/content-coding/negotiate.ts'
import { type Admitted, codecFor } from '#http/pipeline/exchange.ts'
import { textPolicy } from './security-headers.ts'

type Bytes = Buffer | Promise<Buffer>

/** A body as it is sent, which may be sent again: each content coding is made once. */
export class SerializedBody {
  readonly text: string | Buffer
  readonly headers: Readonly<Record<string, string>>
  readonly #coded = new Map<Coding, Bytes>()
  readonly #compress: (text: string | Buffer, coding: Coding) => Bytes

  /** `isLasting` for a body that is sent so often that a slower, better compression pays. */
  constructor(
    text: string | Buffer,
    headers: Readonly<Record<string, string>>,
    { isLasting = false } = {},
  ) {
    this.text = text
    this.headers = headers
    this.#compress = isLasting ? compressHarder : compress
  }

  /** The size without content coding. */
  get bytes(): number {
    return Buffer.byteLength(this.text)
  }

  /** The body in a content coding. */
  in(coding: Coding): Bytes {
    const known = this.#coded.get(coding)
    if (known) return known
    const coded = this.#compress(this.text, coding)
    this.#coded.set(coding, coded)
    return coded
  }
}

/** Writes the value of a body in the media type of the request. */
export function serialize(exchange: Admitted, value: unknown): SerializedBody {
  const { format, contentType } = exchange.representation
  if (format === 'html') {
    return new SerializedBody(pageOf(exchange, value), {
      'content-type': contentType,
      ...textPolicy,
    })
  }
  const text = format === 'xml' ? codecFor(exchange).writeXml(value) : JSON.stringify(value)
  return new SerializedBody(text, { 'content-type': contentType })
}

function pageOf({ route, language }: Admitted, value: unknown): string {
  const page = 'page' in route.resource ? route.resource.page : undefined
  if (!page) throw new TypeError(`${route.path} has no page`)
  return page(value, language)
}
