import type { IncomingHttpHeaders } from 'node:http'
import type { Instant } from '#values/instant.ts'
import { languages } from '#values/languages.ts'
import type { Refusal } from '#values/refusal.ts'
import { type ErrorForm, errorForm } from './error-form.ts'
import { writeErrorXml, writeProblemXml } from './error-xml.ts'
import { type ErrorShape, type Occasion, problemBody, simpleBody, standardBody } from './errors.ts'
import type { Answer } from './exchange.ts'
import { languageOf } from './language.ts'

/** Settings of error answers. */
export interface ErrorSettings {
  /** The shape where a client asks for none. */
  readonly shape: ErrorShape
  /** Where the server is reached, without a slash at the end. */
  readonly baseUrl: string
  /** What WWW-Authenticate tells whom is refused with 401 (RFC 9110 11.6.1). */
  readonly challenge: (refused: Refusal, now: Instant) => string
}

/** Makes the answer to a refused request, in the form and the language that it asks for. */
export function errorAnswer(
  refused: Refusal,
  occasion: Occasion,
  headers: IncomingHttpHeaders,
  { shape, baseUrl, challenge }: ErrorSettings,
): Answer {
  const asking =
    refused.status === 401 ? { 'www-authenticate': challenge(refused, occasion.now) } : undefined
  const form = errorForm(headers.accept)
  const language = languageOf(headers['accept-language'])
  const body = () => {
    switch (form.shape ?? shape) {
      case 'problem':
        return problemBody(refused, occasion, languages[language], baseUrl)
      case 'simple':
        return simpleBody(refused, languages[language])
      default:
        return standardBody(refused, occasion, languages[language])
    }
  }
  return {
    status: refused.status,
    headers: {
      ...asking,
      ...refused.headers,
      'content-type': form.contentType,
      'content-language': language,
    },
    body: () => write(form, body()),
  }
}

function write({ format, shape }: ErrorForm, body: object): string | Buffer {
  if (format === 'json') {
    const text = JSON.stringify(body)
    // Its media type has no charset (RFC 9457 6.1), which would be added to that of a text.
    return shape === 'problem' ? Buffer.from(text) : text
  }
  return shape === 'problem' ? writeProblemXml(body) : writeErrorXml(body)
}
