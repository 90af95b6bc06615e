import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Interaction } from 'oidc-provider'
import type { NamedAccount } from '#auth/accounts.ts'
import { accessMinutes, pageMs } from '#auth/oauth/configuration.ts'
import {
  type PasswordGrantDependencies,
  provenAccount,
} from '#auth/oauth/endpoints/password-grant.ts'
import { asGiven, formOf } from '#auth/oauth/endpoints/request.ts'
import type { Engine } from '#auth/oauth/engine.ts'
import { type ConsentTerm, consentPage } from '#auth/oauth/pages/consent.ts'
import { failurePage } from '#auth/oauth/pages/failure.ts'
import { type LocalizedMessages, languageFor } from '#auth/oauth/pages/language.ts'
import { type Page, pageFields } from '#auth/oauth/pages/page.ts'
import { type SignInProblem, signInPage } from '#auth/oauth/pages/sign-in.ts'
import { nameHash } from '#auth/oauth/payloads/adapter.ts'
import { startBrowserSession } from '#auth/oauth/payloads/session-store.ts'
import { grantable } from '#auth/oauth/scopes.ts'
import { findPerson } from '#auth/oauth/store.ts'
import type { RawRequest } from '#http/server/raw-routes.ts'
import { recordEvent } from '#resources/audit-events/record.ts'
import { toIdentifier } from '#values/identifier.ts'
import { Problem } from '#values/problem.ts'
import { maxSessionDays } from '#values/session-lifetime.ts'

/** What the pages are served with. */
export interface InteractionDependencies extends PasswordGrantDependencies {
  /** The first signs, all of them verify. */
  readonly formKeys: readonly Buffer[]
  readonly engine: () => Promise<Engine>
}

/** A request of somebody who is to sign in or to consent. */
interface InteractionRequest {
  readonly call: RawRequest
  readonly engine: Engine
  readonly given: ReturnType<typeof asGiven>
  readonly details: Interaction
  readonly localized: LocalizedMessages
  readonly client: NonNullable<Awaited<ReturnType<Engine['provider']['Client']['find']>>>
  /** What a form may have been sent with; the first is shown. */
  readonly marks: readonly string[]
  readonly csrf: string
}

/** Shows the page that an authorization request waits for, and takes what is sent from it. */
export function interactionAnswers(dependencies: InteractionDependencies) {
  const visit = async (call: RawRequest): Promise<InteractionRequest | undefined> => {
    const engine = await dependencies.engine()
    const given = asGiven(call, dependencies.issuer, {})
    const details = await detailsOf(engine, given, call)
    const clientId = details?.params['client_id'] ?? ''
    const client = details && (await engine.provider.Client.find(clientId))
    const localized = languageFor(details?.params['ui_locales'], acceptedBy(call))
    if (!details || !client) {
      sendPage(call, failurePage(localized, 400, expired), [])
      return undefined
    }
    const marks = dependencies.formKeys.map((key) =>
      createHmac('sha256', key).update(details.uid).digest('base64url'),
    )
    const [csrf = ''] = marks
    return { call, engine, given, details, localized, client, marks, csrf }
  }
  return {
    show: async (call: RawRequest): Promise<void> => {
      const visiting = await visit(call)
      if (visiting) await show(dependencies, visiting)
    },
    take: async (call: RawRequest): Promise<void> => {
      const visiting = await visit(call)
      if (visiting) await take(dependencies, visiting, formOf(call))
    },
  }
}

const expired = { reason: 'expired', error: 'invalid_request', description: undefined } as const

const acceptedBy = ({ request }: RawRequest) => request.headers['accept-language']

/** The interaction that the cookie and the address both name; undefined where there is none. */
async function detailsOf(
  { provider, library }: Engine,
  given: InteractionRequest['given'],
  call: RawRequest,
): Promise<Interaction | undefined> {
  try {
    const details = await provider.interactionDetails(given, call.response)
    const [path = ''] = call.url.split('?', 1)
    return path.endsWith(`/${details.uid}`) ? details : undefined
  } catch (error) {
    if (error instanceof library.errors.SessionNotFound) return undefined
    throw error
  }
}

/** Sends a page; `leadsTo` is where its forms end up. */
export function sendPage({ response }: RawRequest, page: Page, leadsTo: readonly string[]): void {
  response.writeHead(page.status, pageFields(page, leadsTo)).end(page.text)
}

const wayOut = ({ details }: InteractionRequest): readonly string[] => [
  details.params['redirect_uri'] ?? '',
]

const nameOf = ({ client }: InteractionRequest): string => client.clientName ?? client.clientId

async function show(
  dependencies: InteractionDependencies,
  visit: InteractionRequest,
): Promise<void> {
  const { details } = visit
  if (details.prompt.name === 'consent') return showConsent(dependencies, visit)
  const username = details.params['login_hint'] ?? ''
  showSignIn(visit, { status: 200, username, isRemembered: false, problems: [] })
}

interface SignInState {
  readonly status: number
  readonly username: string
  readonly isRemembered: boolean
  readonly problems: readonly SignInProblem[]
}

function showSignIn(visit: InteractionRequest, { status, ...state }: SignInState): void {
  const { call, localized, csrf } = visit
  const page = signInPage(localized, status, { client: nameOf(visit), csrf, ...state })
  sendPage(call, page, wayOut(visit))
}

async function asked(dependencies: InteractionDependencies, { details }: InteractionRequest) {
  const id = toIdentifier(details.session?.accountId ?? '')
  const person = id === undefined ? undefined : await findPerson(dependencies.db, id)
  if (!person) return undefined
  const scopes = details.params['scope']?.split(' ') ?? []
  return { person, ...grantable(scopes, person.role) }
}

async function showConsent(
  dependencies: InteractionDependencies,
  visit: InteractionRequest,
): Promise<void> {
  const { call, details, localized, client, csrf } = visit
  const found = await asked(dependencies, visit)
  if (!found) return sendPage(call, failurePage(localized, 400, expired), [])
  const { person, granted, rejected } = found
  const term = termOf(client)
  const page = consentPage(localized, {
    client: nameOf(visit),
    name: person.name,
    role: person.role,
    csrf,
    host: new URL(details.params['redirect_uri'] ?? dependencies.issuer).host,
    isNative: client.native === true,
    granted: granted.filter((scope) => term.kind === 'lasting' || scope !== 'offline_access'),
    barred: rejected,
    term,
    privacy: client.policyUri,
    terms: client.tosUri,
  })
  sendPage(call, page, wayOut(visit))
}

/** How long a consent counts; a native client is asked about each time it comes without a token. */
function termOf(client: InteractionRequest['client']): ConsentTerm {
  const isRenewed = client.grantTypeAllowed('refresh_token')
  const unrenewed = client.native === true ? 'once' : 'passing'
  const kind = isRenewed ? 'lasting' : unrenewed
  return { minutes: accessMinutes, days: maxSessionDays, kind }
}

function isSame(due: string, sent: string): boolean {
  const [one, other] = [Buffer.from(due), Buffer.from(sent)]
  return one.length === other.length && timingSafeEqual(one, other)
}

async function take(
  dependencies: InteractionDependencies,
  visit: InteractionRequest,
  form: URLSearchParams,
): Promise<void> {
  const { call, details, localized, marks } = visit
  if (!marks.some((mark) => isSame(mark, form.get('csrf') ?? ''))) {
    return sendPage(call, failurePage(localized, 400, expired), [])
  }
  const isConsent = details.prompt.name === 'consent'
  const act = form.get('act')
  if (act === 'cancel' || (isConsent && act !== 'allow')) {
    return finish(visit, { error: 'access_denied', error_description: 'the user has declined' })
  }
  if (isConsent) return consent(dependencies, visit)
  await signIn(dependencies, visit, form)
}

async function signIn(
  dependencies: InteractionDependencies,
  visit: InteractionRequest,
  form: URLSearchParams,
): Promise<void> {
  const name = form.get('username') ?? ''
  const password = form.get('password') ?? ''
  const isRemembered = form.get('remember') === 'yes'
  const refuse = (status: number, ...problems: readonly SignInProblem[]) =>
    showSignIn(visit, { status, username: name, isRemembered, problems })
  const missing = (['username', 'password'] as const).filter((field) => !form.get(field))
  if (missing.length > 0) {
    return refuse(422, ...missing.map((field) => ({ key: `problem.${field}`, field }) as const))
  }
  try {
    const { ip: address, requestId } = visit.call
    const account = await provenAccount(dependencies, { address, requestId, name, password })
    if (!account) return refuse(422, { key: 'problem.credentials', field: 'password' })
    if (account.status === 'suspended') {
      return refuse(403, { key: 'problem.suspended', field: 'username' })
    }
    await leaveOther(visit, String(account.id))
    if (!(await insertSession(dependencies, visit, account))) {
      return refuse(422, { key: 'problem.credentials', field: 'password' })
    }
    const login = { accountId: String(account.id), remember: isRemembered, amr: ['pwd'] }
    await finish(visit, { login })
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 429) throw error
    const seconds = error.headers['retry-after'] ?? ''
    visit.call.response.setHeader('retry-after', seconds)
    refuse(429, { key: 'problem.throttled', field: 'password', values: { seconds } })
  }
}

/** Whoever signs in as somebody else than before is signed out as that one first. */
async function leaveOther(
  { engine, details }: InteractionRequest,
  accountId: string,
): Promise<void> {
  const { session } = details
  if (session?.accountId === undefined || session.accountId === accountId) return
  const other = await engine.provider.Session.findByUid(session.uid ?? '')
  delete details.session
  await details.persist()
  await other?.destroy()
}

/**
 * Begins the session that the browser takes over when it goes on, unless it has one of this user.
 * False where the password has been replaced in the meantime.
 */
async function insertSession(
  { db }: InteractionDependencies,
  { call, details }: InteractionRequest,
  { id: userId, password_hash: passwordHash }: NamedAccount,
): Promise<boolean> {
  if (details.session?.accountId !== undefined) return true
  if (passwordHash === null) return false
  const { ip: address, now } = call
  const family = nameHash(details.cid)
  const expiresAt = now + pageMs
  return startBrowserSession(db, { family, userId, passwordHash, address, expiresAt }, now)
}

async function consent(
  dependencies: InteractionDependencies,
  visit: InteractionRequest,
): Promise<void> {
  const { call, engine, details, localized, client } = visit
  const found = await asked(dependencies, visit)
  if (!found) return sendPage(call, failurePage(localized, 400, expired), [])
  const { person, granted, rejected } = found
  const { Grant } = engine.provider
  const known = details.grantId === undefined ? undefined : await Grant.find(details.grantId)
  const grant = known ?? new Grant({ accountId: String(person.id), clientId: client.clientId })
  if (granted.length > 0) {
    grant.addOIDCScope(granted.join(' '))
    grant.addResourceScope(dependencies.issuer, granted.join(' '))
  }
  if (rejected.length > 0) {
    grant.rejectOIDCScope(rejected.join(' '))
    grant.rejectResourceScope(dependencies.issuer, rejected.join(' '))
  }
  const grantId = await grant.save()
  const auditActor = { actorId: person.id, credential: 'password', address: call.ip }
  await recordEvent(
    dependencies.db,
    { ...auditActor, requestId: call.requestId, at: call.now },
    {
      action: 'oauth_consent_given',
      subjectId: person.id,
      details: { client_id: client.clientId, scope: granted.join(' ') },
    },
  )
  await finish(visit, { consent: { grantId } })
}

/** Goes on with the authorization request, at the address by which the user came. */
async function finish({ call, engine, given }: InteractionRequest, result: object): Promise<void> {
  const { response } = call
  const options = { mergeWithLastSubmission: true }
  const returnTo = await engine.provider.interactionResult(given, response, result, options)
  const { pathname, search } = new URL(returnTo)
  response.writeHead(303, { location: `${pathname}${search}`, 'cache-control': 'no-store' }).end()
}
