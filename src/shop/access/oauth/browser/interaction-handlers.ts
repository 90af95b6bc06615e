import { timingSafeEqual } from 'node:crypto'
import type { RawRequest } from '#http/server/raw-routes.ts'
import { readForm } from '#shop/access/oauth/endpoints/request.ts'
import { grantConsent, showConsent } from './consent.ts'
import {
  finishInteraction,
  type InteractionParts,
  type InteractionRequest,
  loadInteraction,
  sendExpiredPage,
} from './interaction.ts'
import { showSignIn, signIn } from './sign-in.ts'

/** The handlers that show the page of an interaction and process its form. */
export function interactionHandlers(parts: InteractionParts) {
  return {
    show: async (call: RawRequest): Promise<void> => {
      const request = await loadInteraction(parts, call)
      if (request) await showPage(parts, request)
    },
    submit: async (call: RawRequest): Promise<void> => {
      const request = await loadInteraction(parts, call)
      if (request) await submitForm(parts, request, readForm(call))
    },
  }
}

async function showPage(parts: InteractionParts, request: InteractionRequest): Promise<void> {
  const { interaction } = request
  if (interaction.prompt.name === 'consent') return showConsent(parts, request)
  const username = interaction.params['login_hint'] ?? ''
  showSignIn(request, { status: 200, username, isRemembered: false, problems: [] })
}

function isEqual(expected: string, actual: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(actual)]
  return one.length === other.length && timingSafeEqual(one, other)
}

async function submitForm(
  parts: InteractionParts,
  request: InteractionRequest,
  form: URLSearchParams,
): Promise<void> {
  const csrf = form.get('csrf') ?? ''
  if (!request.csrfTokens.some((token) => isEqual(token, csrf))) return sendExpiredPage(request)
  const isConsent = request.interaction.prompt.name === 'consent'
  const action = form.get('act')
  if (action === 'cancel' || (isConsent && action !== 'allow')) {
    return finishInteraction(request, {
      error: 'access_denied',
      error_description: 'the user has declined',
    })
  }
  if (isConsent) return grantConsent(parts, request)
  await signIn(parts, request, form)
}
