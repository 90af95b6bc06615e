import type { Client } from 'oidc-provider'
import { accessTokenMinutes } from '#shop/access/oauth/configuration.ts'
import { type ConsentTerm, consentPage } from '#shop/access/oauth/pages/consent.ts'
import { splitGrantableScopes } from '#shop/access/oauth/scopes.ts'
import { findActiveUser } from '#shop/access/oauth/store.ts'
import { recordAuditEvent } from '#shop/audit/record.ts'
import { toIdentifier } from '#values/identifier.ts'
import { maxSessionDays } from '#values/session-lifetime.ts'
import {
  finishInteraction,
  type InteractionParts,
  type InteractionRequest,
  sendExpiredPage,
  sendInteractionPage,
} from './interaction.ts'

/** The signed-in user, and which of the requested scopes that user can grant. */
async function loadConsent({ db }: InteractionParts, { interaction }: InteractionRequest) {
  const id = toIdentifier(interaction.session?.accountId ?? '')
  const user = id === undefined ? undefined : await findActiveUser(db, id)
  if (!user) return undefined
  const scopes = interaction.params['scope']?.split(' ') ?? []
  return { user, ...splitGrantableScopes(scopes, user.role) }
}

/** Sends the consent page. */
export async function showConsent(
  parts: InteractionParts,
  request: InteractionRequest,
): Promise<void> {
  const { interaction, localized, client, clientName, csrf } = request
  const loaded = await loadConsent(parts, request)
  if (!loaded) return sendExpiredPage(request)
  const { user, granted, rejected } = loaded
  const term = consentTerm(client)
  const page = consentPage(localized, {
    client: clientName,
    name: user.name,
    role: user.role,
    csrf,
    host: new URL(interaction.params['redirect_uri'] ?? parts.issuer).host,
    isNative: client.native === true,
    granted: granted.filter((scope) => term.kind === 'lasting' || scope !== 'offline_access'),
    rejected,
    term,
    privacyUrl: client.policyUri,
    termsUrl: client.tosUri,
  })
  sendInteractionPage(request, page)
}

/** How long a consent is valid; a native client without refresh tokens asks for it each time. */
function consentTerm(client: Client): ConsentTerm {
  const term = { minutes: accessTokenMinutes, days: maxSessionDays }
  if (client.grantTypeAllowed('refresh_token')) return { ...term, kind: 'lasting' }
  return { ...term, kind: client.native === true ? 'once' : 'passing' }
}

/** Saves the grant, records it in the audit trail and resumes the authorization request. */
export async function grantConsent(
  parts: InteractionParts,
  request: InteractionRequest,
): Promise<void> {
  const { call, engine, interaction, client } = request
  const loaded = await loadConsent(parts, request)
  if (!loaded) return sendExpiredPage(request)
  const { user, granted, rejected } = loaded
  const { Grant } = engine.provider
  const previous =
    interaction.grantId === undefined ? undefined : await Grant.find(interaction.grantId)
  const grant = previous ?? new Grant({ accountId: String(user.id), clientId: client.clientId })
  if (granted.length > 0) {
    grant.addOIDCScope(granted.join(' '))
    grant.addResourceScope(parts.issuer, granted.join(' '))
  }
  if (rejected.length > 0) {
    grant.rejectOIDCScope(rejected.join(' '))
    grant.rejectResourceScope(parts.issuer, rejected.join(' '))
  }
  const grantId = await grant.save()
  const auditActor = { actorId: user.id, credential: 'password', address: call.ip }
  await recordAuditEvent(
    parts.db,
    { ...auditActor, requestId: call.requestId, at: call.now },
    {
      action: 'oauth_consent_given',
      subjectId: user.id,
      details: { client_id: client.clientId, scope: granted.join(' ') },
    },
  )
  await finishInteraction(request, { consent: { grantId } })
}
