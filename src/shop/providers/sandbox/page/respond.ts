import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type Page, pageHeaders } from '#http/html/page.ts'
import { languageOf } from '#http/message/language.ts'
import type { ProviderClient } from '#shop/providers/http/provider-client.ts'
import {
  type Challenge,
  type ChallengeResult,
  decideChallenge,
  readChallenge,
} from './challenge.ts'
import { failurePage, type PageStyle, questionPage, resultPage } from './render.ts'

/** A request for the page of a payment. */
export interface PageRequest {
  readonly method: string
  /** The secret in the address. */
  readonly secret: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** The name above the page. */
  readonly shopName: string
}

/** The response to it. */
export interface PageResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * Answers a request for the page of a payment. A GET shows it. A POST decides and leads to
 * `returnUrl` or back to the page, with 303; its form must come from the page.
 */
export async function respondToPage(
  client: ProviderClient,
  { method, secret, headers, body, shopName }: PageRequest,
): Promise<PageResponse> {
  const style = { language: languageOf(headers['accept-language']), shopName }
  if (method !== 'POST') return show(style, secret, await readChallenge(client, secret))
  const form = new URLSearchParams(body.toString('utf8'))
  if (!isOwnForm(secret, headers, form)) return send(failurePage(style, 403, 'foreign'))
  const decision = form.get('decision') === 'approve' ? 'approve' : 'refuse'
  const decided = await decideChallenge(client, secret, decision)
  if (typeof decided === 'string') return show(style, secret, decided)
  const location = decided.returnUrl ?? secret
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, text: '' }
}

function show(style: PageStyle, secret: string, challenge: ChallengeResult): PageResponse {
  if (challenge === 'unknown') return send(failurePage(style, 404, 'unknown'))
  if (challenge === 'unavailable') return send(failurePage(style, 503, 'failed'))
  return challenge.status === 'action_required'
    ? send(questionPage(style, challenge, csrfOf(secret)), challenge)
    : send(resultPage(style, challenge))
}

function send(page: Page, challenge?: Challenge): PageResponse {
  const { returnUrl } = challenge ?? {}
  const headers = {
    ...pageHeaders(page, returnUrl === undefined ? [] : [returnUrl]),
    vary: 'Accept-Language',
    // For a sandbox that runs by itself; the address is a secret.
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
  return { status: page.status, headers, text: page.text }
}

/** The token of the form, which only a reader of the page knows. */
const csrfOf = (secret: string): string => hash('sha256', `form ${secret}`, 'base64url')

function isOwnForm(secret: string, headers: IncomingHttpHeaders, form: URLSearchParams): boolean {
  const site = headers['sec-fetch-site'] ?? 'same-origin'
  return (site === 'same-origin' || site === 'none') && form.get('csrf') === csrfOf(secret)
}
