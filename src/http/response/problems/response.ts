import type { IncomingHttpHeaders } from 'node:http'
import type { Authentication } from '#http/declare/authentication.ts'
import type { Response } from '#http/exchange/response.ts'
import { languageOf } from '#http/message/language.ts'
import { languages } from '#i18n/languages.ts'
import type { Problem } from '#values/problem.ts'
import {
  type ErrorContext,
  type ErrorShape,
  problemBody,
  simpleBody,
  standardBody,
} from './body.ts'
import { type ErrorFormat, negotiateErrorFormat } from './format.ts'
import { writeErrorXml, writeProblemXml } from './xml.ts'

/** How problem responses are written. */
export interface ErrorSettings {
  /** The shape for clients whose `Accept` selects none. */
  readonly shape: ErrorShape
  /** The URL of the server, without a trailing slash. */
  readonly baseUrl: string
  /** Returns the value of `WWW-Authenticate` (RFC 9110 section 11.6.1). */
  readonly challenge: Authentication['challenge']
}

/** Creates the response for a problem, in the negotiated format and language. */
export function problemResponse(
  problem: Problem,
  errorContext: ErrorContext,
  headers: IncomingHttpHeaders,
  { shape, baseUrl, challenge }: ErrorSettings,
): Response {
  const challenges = challenge(problem, errorContext.now, headers.authorization)
  const format = negotiateErrorFormat(headers.accept)
  const language = languageOf(headers['accept-language'])
  const body = () => {
    switch (format.shape ?? shape) {
      case 'problem':
        return problemBody(problem, errorContext, languages[language], baseUrl)
      case 'simple':
        return simpleBody(problem, languages[language])
      default:
        return standardBody(problem, errorContext, languages[language])
    }
  }
  return {
    status: problem.status,
    headers: {
      ...(challenges === undefined ? undefined : { 'www-authenticate': challenges }),
      ...problem.headers,
      'content-type': format.contentType,
      'content-language': language,
    },
    body: () => write(format, body()),
  }
}

function write({ format, shape }: ErrorFormat, body: object): string | Buffer {
  if (format === 'json') {
    const text = JSON.stringify(body)
    // Fastify adds a charset to the type of a string; this type has none (RFC 9457 section 6.1).
    return shape === 'problem' ? Buffer.from(text) : text
  }
  return shape === 'problem' ? writeProblemXml(body) : writeErrorXml(body)
}
