import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const variable = 'TEST_CHROMIUM'
const timeoutMs = 120_000

/** A browser page and the errors that occurred in it. */
export interface WatchedPage {
  readonly page: Page
  /** Console errors, content security policy violations and requests to other machines. */
  readonly errors: readonly string[]
}

/** The reason why no browser can be tested, or false: a value for `skip`. */
export function browserSkipReason(): string | false {
  return process.env[variable] === undefined && `Browsers are not tested: ${variable} is not set`
}

/** Starts a Chromium that reaches only this machine; the caller closes it. */
export function openBrowser(): Promise<Browser> {
  const executablePath = process.env[variable]
  if (executablePath === undefined) throw new Error(`${variable} is not set`)
  return chromium.launch({
    executablePath,
    timeout: timeoutMs,
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'],
  })
}

/** Opens a page with its own cookies and storage, and records its errors. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(timeoutMs)
  const errors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => errors.push(`error: ${error.message}`))
  page.on('request', (request) => {
    if (isExternal(request.url())) errors.push(`request: ${request.url()}`)
  })
  await page.exposeFunction('reportViolation', (violation: string) =>
    errors.push(`policy: ${violation}`),
  )
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    reportViolation(event.effectiveDirective + ' ' + event.blockedURI))`)
  return { page, errors }
}

function isExternal(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol.startsWith('http') && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
}
