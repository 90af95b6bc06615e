import { interactionMs } from '#shop/access/oauth/configuration.ts'
import { signInWithPassword } from '#shop/access/oauth/endpoints/password-grant.ts'
import { type SignInProblem, signInPage } from '#shop/access/oauth/pages/sign-in.ts'
import { hashId } from '#shop/access/oauth/storage/adapter.ts'
import { startBrowserSession } from '#shop/access/oauth/storage/session-store.ts'
import type { LoginAccount } from '#shop/accounts/passwords/account-store.ts'
import { Problem } from '#values/problem.ts'
import {
  finishInteraction,
  type InteractionParts,
  type InteractionRequest,
  sendInteractionPage,
} from './interaction.ts'

interface SignInState {
  readonly status: number
  readonly username: string
  readonly isRemembered: boolean
  readonly problems: readonly SignInProblem[]
}

/** Sends the sign-in page. */
export function showSignIn(request: InteractionRequest, { status, ...state }: SignInState): void {
  const { localized, clientName, csrf } = request
  sendInteractionPage(
    request,
    signInPage(localized, status, { client: clientName, csrf, ...state }),
  )
}

/** Signs in with the submitted username and password, or shows the page again with the problems. */
export async function signIn(
  parts: InteractionParts,
  request: InteractionRequest,
  form: URLSearchParams,
): Promise<void> {
  const name = form.get('username') ?? ''
  const password = form.get('password') ?? ''
  const isRemembered = form.get('remember') === 'yes'
  const showProblems = (status: number, ...problems: readonly SignInProblem[]) =>
    showSignIn(request, { status, username: name, isRemembered, problems })
  const missing = (['username', 'password'] as const).filter((field) => !form.get(field))
  if (missing.length > 0) {
    return showProblems(
      422,
      ...missing.map((field) => ({ key: `problem.${field}`, field }) as const),
    )
  }
  try {
    const { ip: address, requestId } = request.call
    const account = await signInWithPassword(parts, { address, requestId, name, password })
    if (!account) return showProblems(422, { key: 'problem.credentials', field: 'password' })
    if (account.status === 'suspended') {
      return showProblems(403, { key: 'problem.suspended', field: 'username' })
    }
    await endOtherSession(request, String(account.id))
    if (!(await startSession(parts, request, account))) {
      return showProblems(422, { key: 'problem.credentials', field: 'password' })
    }
    const login = { accountId: String(account.id), remember: isRemembered, amr: ['pwd'] }
    await finishInteraction(request, { login })
  } catch (error) {
    if (!(error instanceof Problem) || (error.status !== 429 && error.status !== 503)) throw error
    const { status } = error
    const seconds = error.headers['retry-after'] ?? ''
    request.call.response.setHeader('retry-after', seconds)
    const key = status === 429 ? 'problem.throttled' : 'problem.busy'
    showProblems(status, { key, field: 'password', values: { seconds } })
  }
}

/** Ends the session of this browser if it belongs to another user. */
async function endOtherSession(
  { engine, interaction }: InteractionRequest,
  accountId: string,
): Promise<void> {
  const { session } = interaction
  if (session?.accountId === undefined || session.accountId === accountId) return
  const other = await engine.provider.Session.findByUid(session.uid ?? '')
  delete interaction.session
  await interaction.persist()
  await other?.destroy()
}

/**
 * Starts the session that the browser takes over when the authorization request resumes, unless it
 * already has one of this user. False if the password was changed in the meantime.
 */
async function startSession(
  { db }: InteractionParts,
  { call, interaction }: InteractionRequest,
  { id: userId, password_hash: passwordHash }: LoginAccount,
): Promise<boolean> {
  if (interaction.session?.accountId !== undefined) return true
  if (passwordHash === null) return false
  const { ip: address, now } = call
  const family = hashId(interaction.cid)
  const expiresAt = now + interactionMs
  return startBrowserSession(db, { family, userId, passwordHash, address, expiresAt }, now)
}
