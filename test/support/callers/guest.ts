import type { TestApp, TestRequest } from '#test/support/app.ts'

/** A guest. */
export interface TestGuest {
  readonly id: number
  readonly token: string
  readonly refreshToken: string
  readonly request: TestRequest
}

/** Starts as a guest. */
export async function startGuest(
  { request }: Pick<TestApp, 'request'>,
  body: object = {},
): Promise<TestGuest> {
  const { status, json, text } = await request('POST', '/guests', body)
  if (status !== 201) throw new Error(`Starting as a guest failed: ${text}`)
  const { token, refresh_token: refreshToken, user } = json
  const authorization = `Bearer ${token}`
  return {
    id: user.id,
    token,
    refreshToken,
    request: (method, url, sent, headers) =>
      request(method, url, sent, { authorization, ...headers }),
  }
}
