import { hiddenField } from '#test/support/callers/relying-party.ts'

/** Decides on the page of the sandbox that a payment leads to; resolves to its response. */
export async function decide(url: string, decision: 'approve' | 'refuse'): Promise<Response> {
  const page = await (await fetch(url)).text()
  const body = new URLSearchParams({ csrf: hiddenField(page, 'csrf'), decision })
  return fetch(url, { method: 'POST', body, redirect: 'manual' })
}
