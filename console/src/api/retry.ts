const maxAttempts = 4
const maxPauseSeconds = 5

/**
 * Sends a request, and again when the server is overloaded or limits it, as often as it is worth
 * waiting for. The last response is returned, whatever it is.
 */
export async function fetchWithRetries(href: string, options?: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(href, options)
    const isPassing = response.status === 429 || response.status === 503
    const seconds = Number(response.headers.get('retry-after') ?? maxPauseSeconds + 1)
    if (!isPassing || attempt === maxAttempts || !(seconds <= maxPauseSeconds)) return response
    await new Promise((resolve) => setTimeout(resolve, Math.max(seconds, 1) * 1000))
  }
}
