import { type Browser, chromium, type Page } from 'playwright-core'

const variable = 'TEST_CHROMIUM'
const patienceMs = 15_000

/** A page of a browser, and all that went wrong in it. */
export interface WatchedPage {
  readonly page: Page
  /** Errors in the console, breaches of the content security policy, requests to the outside. */
  readonly complaints: readonly string[]
}

/** Says why nothing can be tested in a browser, or false where it can: what `skip` takes. */
export function browserSkipReason(): string | false {
  return process.env[variable] === undefined && `No browser is tested: ${variable} is not set`
}

/** Starts a Chromium that reaches this machine alone; whoever starts it closes it. */
export function openBrowser(): Promise<Browser> {
  const executablePath = process.env[variable]
  if (executablePath === undefined) throw new Error(`${variable} is not set`)
  return chromium.launch({
    executablePath,
    args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost'],
  })
}

/** Opens an empty page, with cookies and storage of its own, under watch. */
export async function openPage(browser: Browser): Promise<WatchedPage> {
  const context = await browser.newContext()
  const page = await context.newPage()
  page.setDefaultTimeout(patienceMs)
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('request', (request) => {
    if (isOutside(request.url())) complaints.push(`request: ${request.url()}`)
  })
  await page.exposeFunction('tellBreach', (breach: string) => complaints.push(`policy: ${breach}`))
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    tellBreach(event.effectiveDirective + ' ' + event.blockedURI))`)
  return { page, complaints }
}

/** True for an address of another machine. */
function isOutside(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol.startsWith('http') && !['127.0.0.1', 'localhost', '[::1]'].includes(hostname)
}
