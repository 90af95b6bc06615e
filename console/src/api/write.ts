import type { Body } from './json.ts'
import { linkOf } from './links.ts'
import { type Answer, ApiProblem, type RequestOptions, send } from './request.ts'

/** Asks for the password of the user; undefined if the user declines. */
export type AskForPassword = () => Promise<string | undefined>

let askForPassword: AskForPassword = async () => undefined

/** Sets what asks for the password. */
export function onPasswordNeeded(ask: AskForPassword): void {
  askForPassword = ask
}

const needsPassword = (error: unknown): boolean =>
  error instanceof ApiProblem && error.code === '4033'

/**
 * Sends a change. Where it needs a full sign-in, asks for the password, signs in for this one request
 * and out again. Throws an ApiProblem.
 */
export async function write(
  method: string,
  href: string,
  options: RequestOptions = {},
): Promise<Answer> {
  try {
    return await send(method, href, options)
  } catch (error) {
    if (!needsPassword(error)) throw error
    const password = await askForPassword()
    if (password === undefined) throw error
    return await sendWithPassword(password, method, href, options)
  }
}

async function sendWithPassword(
  password: string,
  method: string,
  href: string,
  options: RequestOptions,
): Promise<Answer> {
  const { username } = (await send('GET', '/profile')).body
  const credentials: Body = { username: username ?? '', password }
  const token = String((await send('POST', '/login', { body: credentials })).body.token)
  try {
    return await send(method, href, { ...options, token })
  } finally {
    const profile = await send('GET', '/profile', { token })
    const logout = linkOf(profile.body, 'logout')
    if (logout) await send('DELETE', logout.href, { token })
  }
}
