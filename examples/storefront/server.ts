// A shop front of plain pages. The tokens of its visitors stay in this server, where no script can read them.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { MissingLink, openShop, Problem, type Shop } from '#client/src/client.ts'
import * as account from './account.ts'
import * as catalogue from './catalogue.ts'
import * as checkout from './checkout.ts'
import { type Frame, type Page, render, type Visit } from './page.ts'
import { createSessions } from './sessions.ts'
import { fetchForVisitor, forVisitor } from './visitor.ts'

const port = Number(process.env['STOREFRONT_PORT'] ?? 3001)
const origin = `http://localhost:${port}`
const shopUrl = process.env['SHOP_URL'] ?? `http://localhost:${process.env['PORT'] ?? 3000}`
const fileAt = (name: string) => readFileSync(join(import.meta.dirname, name), 'utf8')
const headers = {
  // Pictures come from the shop, and paying leads to the page of a bank.
  'content-security-policy': `default-src 'self'; img-src 'self' ${shopUrl}; form-action 'self' https: ${shopUrl}; base-uri 'none'; frame-ancestors 'none'; object-src 'none'`,
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

/** The clients of visitors with a session, by the value of their cookie. */
const shops = createSessions<Shop>(10_000, 24 * 3_600_000)
const shopOptions = { fetch: fetchForVisitor }

function visitOf(request: FastifyRequest, reply: FastifyReply): Visit {
  const [, known = ''] = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? '') ?? []
  const shop = shops.get(known) ?? openShop(shopUrl, shopOptions)
  const { id = '' } = request.params as { readonly id?: string }
  const { searchParams: query } = new URL(request.url, origin)
  const form = new URLSearchParams(request.body as string | undefined)
  const remember = () => {
    // Whoever signs in gets another cookie: the one before may be known to somebody else.
    shops.delete(known)
    const value = crypto.randomUUID()
    shops.set(value, shop)
    reply.header('set-cookie', `session=${value}; Path=/; HttpOnly; SameSite=Lax`)
  }
  return { shop, origin, id, query, form, remember }
}

/** Sends a page, within the layout. */
function send(reply: FastifyReply, page: Page, visit?: Visit, frame?: Frame) {
  if (page.refresh) reply.header('refresh', page.refresh)
  return reply.type('text/html; charset=utf-8').send(render(page, visit, frame))
}

// The proxies in front of this server, whose X-Forwarded-For and -Proto are trusted.
const trustProxy = process.env['STOREFRONT_TRUST_PROXY'] ?? false
const app = fastify({ trustProxy })
const formType = 'application/x-www-form-urlencoded'
app.addContentTypeParser(formType, { parseAs: 'string' }, async (_: unknown, body: string) => body)
app.addHook('onRequest', async (request, reply) => {
  reply.headers(headers)
  const isForeign = (request.headers['sec-fetch-site'] ?? 'same-origin') !== 'same-origin'
  // SameSite=Lax lets through forms of other ports of this host; this does not.
  return request.method === 'POST' && isForeign ? reply.code(403).send() : undefined
})
// Not earlier: what reads the body runs outside of the context of the request.
app.addHook('preHandler', ({ ip, protocol }, _, done) => forVisitor({ ip, protocol }, done))
function sendError(reply: FastifyReply, status: number, details?: string) {
  const isGone = [404, 410].includes(status)
  const title = isGone ? 'This is no longer here' : 'Something went wrong'
  return send(reply.code(status), { view: 'error', title, data: { details, isGone } })
}
app.setErrorHandler((error, _, reply) => {
  if (error instanceof Problem) return sendError(reply, error.status, error.details)
  console.error(error)
  return sendError(reply, 502, 'The shop does not answer. Please try again in a moment.')
})
app.setNotFoundHandler((_, reply) => sendError(reply, 404, 'There is no such page.'))

/** Serves a page, and does what its form asks for; shows the form again if the shop rejects that. */
function serve(
  url: string,
  show: (visit: Visit) => Promise<Page>,
  submit?: (visit: Visit) => Promise<string>,
) {
  const answer = async (reply: FastifyReply, visit: Visit) => {
    const page = await show(visit)
    const [entry, cart] = await Promise.all([
      visit.shop.entry(),
      visit.shop.session && visit.shop.cart.get(),
    ])
    return send(reply, page, visit, { entry, itemCount: cart?.item_count ?? 0 })
  }
  app.get(url, (request, reply) => answer(reply, visitOf(request, reply)))
  if (submit === undefined) return
  app.post(url, async (request, reply) => {
    const visit = visitOf(request, reply)
    try {
      return reply.redirect(await submit(visit), 303)
    } catch (problem) {
      // It is done already, or no longer possible: the page shows how it is.
      if (problem instanceof MissingLink) return reply.redirect(request.url, 303)
      if (!(problem instanceof Problem)) throw problem
      return answer(reply.code(problem.status), { ...visit, problem })
    }
  })
}

serve('/', catalogue.showCatalogue)
serve('/products/:id', catalogue.showProduct, catalogue.addToCart)
serve('/cart', checkout.showCart, checkout.changeDiscount)
serve('/cart/items/:id', checkout.showCart, checkout.changeItem)
serve('/checkout', checkout.showCheckout, checkout.placeOrder)
serve('/orders/:id', checkout.showOrder, checkout.payOrder)
serve('/orders/:id/account', checkout.showOrder, account.register)
serve('/account', account.showAccount, account.signIn)
serve('/sign-out', account.showAccount, account.signOut)
app.get('/style.css', (_, reply) => reply.type('text/css').send(fileAt('style.css')))
app.get('/icon.svg', (_, reply) => reply.type('image/svg+xml').send(fileAt('icon.svg')))

if (process.env['SHOP_URL'] === undefined) {
  const main = join(import.meta.dirname, '../../src/main.ts')
  // All visitors are on this machine, and so share one rate limit.
  const env = { RATE_LIMIT: '1000/60s', ...process.env, CORS_ORIGINS: origin }
  const shop = spawn(process.execPath, [main], { env, stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => shop.kill(signal))
  shop.once('exit', (code) => process.exit(code ?? 1))
}
// The client tries again until the shop answers.
await openShop(shopUrl, { retries: 8 }).entry()
await app.listen({ port, host: '127.0.0.1' })
console.log(`The shop front is at ${origin}`)
