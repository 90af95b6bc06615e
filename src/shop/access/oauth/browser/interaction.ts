import { createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Client, Interaction } from 'oidc-provider'
import { type Page, sendPage } from '#http/html/page.ts'
import { pathOf } from '#http/message/url-path.ts'
import type { RawRequest } from '#http/server/raw-routes.ts'
import type { PasswordGrantParts } from '#shop/access/oauth/endpoints/password-grant.ts'
import { toProviderRequest } from '#shop/access/oauth/endpoints/request.ts'
import type { Engine } from '#shop/access/oauth/engine.ts'
import { failurePage } from '#shop/access/oauth/pages/failure.ts'
import { type LocalizedMessages, localizedMessages } from '#shop/access/oauth/pages/language.ts'

/** What the sign-in and consent pages depend on. */
export interface InteractionParts extends PasswordGrantParts {
  /** The first key makes CSRF tokens, all keys verify them. */
  readonly formKeys: readonly Buffer[]
  readonly engine: () => Promise<Engine>
  readonly shopName: string
}

/** A request for the page of an interaction, with what every page needs. */
export interface InteractionRequest {
  readonly call: RawRequest
  readonly engine: Engine
  readonly providerRequest: IncomingMessage
  readonly interaction: Interaction
  readonly localized: LocalizedMessages
  readonly client: Client
  readonly clientName: string
  /** The CSRF token of the forms. */
  readonly csrf: string
  /** Every CSRF token that is accepted: one for each form key. */
  readonly csrfTokens: readonly string[]
}

/** Loads the interaction of a request; sends an error page and returns undefined if it expired. */
export async function loadInteraction(
  parts: InteractionParts,
  call: RawRequest,
): Promise<InteractionRequest | undefined> {
  const engine = await parts.engine()
  const providerRequest = toProviderRequest(call, parts.issuer, {})
  const interaction = await findInteraction(engine, providerRequest, call)
  const clientId = interaction?.params['client_id'] ?? ''
  const client = interaction && (await engine.provider.Client.find(clientId))
  const acceptLanguage = call.request.headers['accept-language']
  const uiLocales = interaction?.params['ui_locales']
  const localized = localizedMessages(parts.shopName, uiLocales, acceptLanguage)
  if (!interaction || !client) {
    sendExpiredPage({ call, localized })
    return undefined
  }
  const csrfTokens = parts.formKeys.map((key) =>
    createHmac('sha256', key).update(interaction.uid).digest('base64url'),
  )
  const [csrf = ''] = csrfTokens
  const clientName = client.clientName ?? client.clientId
  const found = { engine, providerRequest, interaction, client, clientName }
  return { call, localized, ...found, csrf, csrfTokens }
}

/** The interaction that both the cookie and the path identify. */
async function findInteraction(
  { provider, library }: Engine,
  providerRequest: IncomingMessage,
  call: RawRequest,
): Promise<Interaction | undefined> {
  try {
    const interaction = await provider.interactionDetails(providerRequest, call.response)
    return pathOf(call.url).endsWith(`/${interaction.uid}`) ? interaction : undefined
  } catch (error) {
    if (error instanceof library.errors.SessionNotFound) return undefined
    throw error
  }
}

/** Sends a page whose forms may redirect to the client. */
export function sendInteractionPage({ call, interaction }: InteractionRequest, page: Page): void {
  sendPage(call.response, page, [interaction.params['redirect_uri'] ?? ''])
}

/** Sends the page for an interaction that has expired or belongs to another browser. */
export function sendExpiredPage({
  call,
  localized,
}: Pick<InteractionRequest, 'call' | 'localized'>): void {
  const failure = { reason: 'expired', error: 'invalid_request', description: undefined } as const
  sendPage(call.response, failurePage(localized, 400, failure), [])
}

/** Saves the result and resumes the authorization request; the redirect keeps the user's host. */
export async function finishInteraction(
  { call, engine, providerRequest }: InteractionRequest,
  result: object,
): Promise<void> {
  const { response } = call
  const options = { mergeWithLastSubmission: true }
  const returnTo = await engine.provider.interactionResult(
    providerRequest,
    response,
    result,
    options,
  )
  const { pathname, search } = new URL(returnTo)
  response.writeHead(303, { location: `${pathname}${search}`, 'cache-control': 'no-store' }).end()
}
