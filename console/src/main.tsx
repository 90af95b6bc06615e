import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { type Shop, ShopContext } from './api/context.ts'
import { ApiDocument } from './api/document.ts'
import type { Body } from './api/json.ts'
import { read } from './api/request.ts'
import { fetchWithRetries } from './api/retry.ts'
import { finishWindow, signInByRedirect, signInSilently, windowState } from './api/session.ts'
import { type ShopFormats, setShopFormats } from './format.ts'
import { Layout } from './parts/layout.tsx'
import { Failure, Skeleton } from './parts/notice.tsx'
import { applyTheme } from './parts/theme.ts'
import { followLinks, open } from './router.ts'
import { loadLanguage, preferredLanguage, word } from './words/words.ts'

/** What the address says after the authorization endpoint has returned here. */
function readCallback(): { readonly isWindow: boolean; readonly isDeclined: boolean } {
  const query = new URLSearchParams(location.search)
  if (location.pathname !== '/console/callback') return { isWindow: false, isDeclined: false }
  const state = query.get('state') ?? '/'
  if (state === windowState) return { isWindow: true, isDeclined: query.has('error') }
  // The code is not used: the session that it proves gives another one, whose verifier is known.
  open(/^\/(?!\/)/.test(state) ? state : '/', { isReplacement: true })
  return { isWindow: false, isDeclined: query.has('error') || !query.has('code') }
}

async function openShop(): Promise<Shop> {
  const [documentAnswer, entry, profile] = await Promise.all([
    fetchWithRetries('/openapi.json?version=1'),
    read('/'),
    read('/profile'),
  ])
  setShopFormats(entry.body as unknown as ShopFormats)
  const document = new ApiDocument((await documentAnswer.json()) as Body)
  return { document, entry: entry.body, profile: profile.body }
}

function Console({ isDeclined }: { readonly isDeclined: boolean }) {
  const [shop, setShop] = useState<Shop>()
  const [error, setError] = useState<unknown>()
  const [isSignedOut, setSignedOut] = useState(isDeclined)
  const [, setLanguageCount] = useState(0)
  const returnTo = () => location.pathname.replace(/^\/console\/?/, '/') + location.search
  const start = async () => {
    setError(undefined)
    try {
      if (await signInSilently()) setShop(await openShop())
      else await signInByRedirect(returnTo())
    } catch (problem) {
      setError(problem)
    }
  }
  useEffect(() => {
    if (!isSignedOut) void start()
  }, [isSignedOut])
  if (isSignedOut) {
    return (
      <main class="gate">
        <h1>{word('console')}</h1>
        <p>{word('signedOut')}</p>
        <button type="button" class="main" onClick={() => signInByRedirect(returnTo())}>
          {word('signIn')}
        </button>
      </main>
    )
  }
  if (error !== undefined) {
    return (
      <main class="gate">
        <h1>{word('console')}</h1>
        <Failure error={error} onRetry={start} />
      </main>
    )
  }
  if (!shop) {
    return (
      <main class="gate">
        <h1 class="unseen">{word('console')}</h1>
        <Skeleton lines={3} />
      </main>
    )
  }
  return (
    <ShopContext.Provider value={shop}>
      <Layout
        onLanguage={async (chosen) => {
          await loadLanguage(chosen, true)
          setLanguageCount((count) => count + 1)
        }}
        onSignedOut={() => setSignedOut(true)}
      />
    </ShopContext.Provider>
  )
}

applyTheme()
await loadLanguage(preferredLanguage())
const { isWindow, isDeclined } = readCallback()
const root = document.getElementById('root')
if (isWindow) finishWindow()
else if (root) {
  followLinks()
  render(<Console isDeclined={isDeclined} />, root)
}
