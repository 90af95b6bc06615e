import type { ServerResponse } from 'node:http'
import { Html, html, sourceHash } from './html.ts'
import { style, styleHash } from './style.ts'

/** A rendered page. */
export interface Page {
  readonly status: number
  readonly language: string
  readonly text: string
}

const logo = new Html(`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2"
  stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M3 4h2.4l2.2 11h9.6l2-8H6.2"/>
  <circle cx="9" cy="19.5" r="1.5"/><circle cx="16.5" cy="19.5" r="1.5"/></svg>`)

/** Renders the frame of every page around a body, in the language `tag`; pages have no script. */
export function renderPage(
  { tag, shopName }: { readonly tag: string; readonly shopName: string },
  status: number,
  { title, body }: { readonly title: string; readonly body: Html },
): Page {
  const { text } = html`<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title} · ${shopName}</title>
${style}
</head>
<body>
<header class="brand">${logo}<span>${shopName}</span></header>
<main>
${body}
</main>
</body>
</html>
`
  return { status, language: tag, text }
}

/**
 * The header fields of a page. The page is not stored, not framed, and runs no scripts except those
 * in `text`. Browsers apply `form-action` to the redirects after a form too, so the policy allows
 * the origins of `redirectUris`.
 */
export function pageHeaders(
  { text, language }: Pick<Page, 'text' | 'language'>,
  redirectUris: readonly string[],
): Readonly<Record<string, string>> {
  const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script = '']) =>
    sourceHash(script),
  )
  const policy = [
    "default-src 'none'",
    `style-src ${styleHash}`,
    'img-src data:',
    ...(scripts.length > 0 ? [`script-src ${scripts.join(' ')}`] : []),
    `form-action ${["'self'", ...new Set(redirectUris.flatMap(originOf))].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-language': language,
    'content-security-policy': policy.join('; '),
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    vary: 'Accept-Language, Cookie',
  }
}

/** The origin of a URI; empty for one without an origin, such as a custom scheme. */
function originOf(uri: string): readonly string[] {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  return url && url.origin !== 'null' ? [url.origin] : []
}

/** Sends a page whose forms may redirect to the origins of `redirectUris`. */
export function sendPage(
  response: ServerResponse,
  page: Page,
  redirectUris: readonly string[],
): void {
  response.writeHead(page.status, pageHeaders(page, redirectUris)).end(page.text)
}
