import type { IncomingHttpHeaders } from 'node:http'
import type { Authentication } from '#http/pipeline/guards/authentication.ts'
import { languageOf } from '#http/pipeline/guards/language.ts'
import type { Response } from '#http/pipeline/response.ts'
import { languages } from '#i18n/languages.ts'
import type { Problem } from '#values/problem.ts'
import {
  type ErrorContext,
  type ErrorShape,
  problemBody,
  simpleBody,
  standardBody,
} from './body.ts'
import { type ErrorForm, errorForm } from './format.ts'
import { writeErrorXml, writeProblemXml } from './xml.ts'

/** Settings of error answers. */
export interface ErrorSettings {
  /** The shape where a client asks for none. */
  readonly shape: ErrorShape
  /** Where the server is reached, without a slash at the end. */
  readonly baseUrl: string
  /** The value of WWW-Authenticate (RFC 9110 11.6.1). */
  readonly challenge: Authentication['challenge']
}

/** Makes the answer to a refused request, in the form and the language that it asks for. */
export function problemResponse(
  refused: Problem,
  errorContext: ErrorContext,
  headers: IncomingHttpHeaders,
  { shape, baseUrl, challenge }: ErrorSettings,
): Response {
  const asked = challenge(refused, errorContext.now, headers.authorization)
  const asking = asked === undefined ? undefined : { 'www-authenticate': asked }
  const form = errorForm(headers.accept)
  const language = languageOf(headers['accept-language'])
  const body = () => {
    switch (form.shape ?? shape) {
      case 'problem':
        return problemBody(refused, errorContext, languages[language], baseUrl)
      case 'simple':
        return simpleBody(refused, languages[language])
      default:
        return standardBody(refused, errorContext, languages[language])
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
