import { fetchWithRetries } from './retry.ts'

const clientId = 'cartwright-console'
const callbackPath = '/console/callback'
const channelName = 'cartwright-console'
/** The state of an authorization request whose answer only closes its window. */
export const windowState = 'window'
/** A token is replaced this long before it expires. */
const renewalMs = 60_000

const scope = [
  'openid users:read users:write products:write orders:read orders:write reviews:write',
  'purchases:read events:read webhooks:write refunds:write returns:write settings:write imports:write files:write',
].join(' ')

interface Token {
  readonly text: string
  readonly scopes: ReadonlySet<string>
  readonly expiresAt: number
}

// Only here: a reload signs in again by the session of the browser.
let current: Token | undefined
let renewal: Promise<boolean> | undefined

const toBase64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (sign) =>
    sign === '+' ? '-' : sign === '/' ? '_' : '',
  )

const randomText = (): string => toBase64Url(crypto.getRandomValues(new Uint8Array(32)))

async function authorizationUrl(
  parameters: Readonly<Record<string, string>>,
  verifier = randomText(),
): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: location.origin + callbackPath,
    scope,
    code_challenge: toBase64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ui_locales: document.documentElement.lang,
    ...parameters,
  })
  return `/oauth/authorize?${query}`
}

/** Exchanges a code for a token (RFC 6749 4.1.3). */
async function redeem(code: string, verifier: string): Promise<Token> {
  const answer = await fetchWithRetries('/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: location.origin + callbackPath,
      client_id: clientId,
      code_verifier: verifier,
    }),
  })
  if (!answer.ok) throw new Error(`The token endpoint answers ${answer.status}.`)
  const body = await answer.json()
  return {
    text: body.access_token,
    scopes: new Set(String(body.scope ?? scope).split(' ')),
    expiresAt: Date.now() + body.expires_in * 1000,
  }
}

async function renew(): Promise<boolean> {
  const verifier = randomText()
  const state = randomText()
  // The answer redirects to this origin, so the code is read from the address that was reached.
  const answer = await fetchWithRetries(await authorizationUrl({ prompt: 'none', state }, verifier))
  const { pathname, searchParams } = new URL(answer.url)
  if (pathname !== callbackPath || searchParams.get('state') !== state) {
    throw new Error(`The authorization endpoint answers ${answer.status}.`)
  }
  const code = searchParams.get('code')
  current = code === null ? undefined : await redeem(code, verifier)
  return current !== undefined
}

/**
 * Gets a token by the browser's session at the OAuth server, without asking the user. False if
 * there is no such session.
 */
export function signInSilently(): Promise<boolean> {
  renewal ??= renew().finally(() => {
    renewal = undefined
  })
  return renewal
}

/** The access token; undefined if the user has to sign in. */
export async function accessToken(): Promise<string | undefined> {
  if (current && current.expiresAt - renewalMs > Date.now()) return current.text
  return (await signInSilently()) ? current?.text : undefined
}

/** Whether the token has every one of these scopes. */
export const hasScopes = (scopes: readonly string[]): boolean =>
  scopes.every((each) => current?.scopes.has(each) === true)

/** Leaves for the sign-in page, which returns to this address. */
export async function signInByRedirect(returnTo: string): Promise<void> {
  location.assign(await authorizationUrl({ state: returnTo }))
}

/** Opens the sign-in page in a window of its own; resolves once the user has signed in there. */
export async function signInByWindow(): Promise<void> {
  const channel = new BroadcastChannel(channelName)
  const opened = window.open('about:blank', '_blank', 'popup,width=460,height=680')
  const url = await authorizationUrl({ state: windowState })
  const isBack = new Promise<void>((resolve) => {
    channel.onmessage = () => resolve()
  })
  if (opened) opened.location.href = url
  else window.open(url)
  await isBack
  channel.close()
  await signInSilently()
}

/** Ends the window of `signInByWindow`. */
export function finishWindow(): void {
  new BroadcastChannel(channelName).postMessage('signed in')
  window.close()
}

/** Forgets the token, so that the next request gets another one. */
export function dropToken(): void {
  current = undefined
}

/** Revokes the token and leaves for the page that ends the browser's session. */
export async function signOut(): Promise<void> {
  if (current) {
    const body = new URLSearchParams({ token: current.text, client_id: clientId })
    await fetch('/oauth/revoke', { method: 'POST', body })
  }
  current = undefined
  const query = new URLSearchParams({
    client_id: clientId,
    post_logout_redirect_uri: location.origin + callbackPath,
    ui_locales: document.documentElement.lang,
  })
  location.assign(`/oauth/logout?${query}`)
}
