import { useEffect, useRef, useState } from 'preact/hooks'
import { useShop } from '../api/context.ts'
import type { Operation } from '../api/document.ts'
import { linksOf, pageOf } from '../api/links.ts'
import { signOut } from '../api/session.ts'
import { startOfDay } from '../pages/days.ts'
import { Page } from '../pages/page.tsx'
import { hrefOf, usePlace } from '../router.ts'
import { type Language, language, languages, nameInWords, word } from '../words/words.ts'
import { Icon, iconOf } from './icon.tsx'
import { Announcements } from './notice.tsx'
import { Prompts } from './prompts.tsx'
import { applyTheme, chosenTheme, themes } from './theme.ts'

/** The groups that come first; the others follow in the order of the document. */
const firstTags = ['Checkout', 'Catalogue', 'Account', 'Settings', 'Events', 'Audit']

/** Collections of the framework itself, and one that the page of imports leads to. */
const hidden = new Set(['/problems', '/sessions', '/operations'])

/** The frame of every page: navigation, settings and the page itself. */
export function Layout({
  onLanguage,
}: {
  readonly onLanguage: (chosen: Language) => void
  readonly onSignedOut: () => void
}) {
  const { document: api, profile } = useShop()
  const place = usePlace()
  const [isOpen, setOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const isFirst = useRef(true)
  useEffect(() => {
    setOpen(false)
    // A screen reader begins at the new page; the first one is where the browser has put it.
    if (!isFirst.current) main.current?.focus({ preventScroll: true })
    isFirst.current = false
  }, [place.path])
  return (
    <div class={`layout ${isOpen ? 'open' : ''}`}>
      <a class="skip" href="#main">
        {word('skip')}
      </a>
      <header class="top">
        <button
          type="button"
          class="quiet icon"
          aria-expanded={isOpen}
          aria-controls="navigation"
          aria-label={word('menu')}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'close' : 'menu'} />
        </button>
        <strong>{api.title}</strong>
      </header>
      <Navigation path={place.path} onLanguage={onLanguage} />
      <main id="main" ref={main} tabIndex={-1}>
        {profile.role !== 'admin' && <p class="note">{word('limited')}</p>}
        <Page key={place.path} place={place} href={hrefOf(place)} />
      </main>
      <Announcements />
      <Prompts userId={profile.id} />
    </div>
  )
}

function Navigation({
  path,
  onLanguage,
}: {
  readonly path: string
  readonly onLanguage: (chosen: Language) => void
}) {
  const { document: api, profile } = useShop()
  return (
    <nav id="navigation" class="side" aria-label={word('menu')}>
      <a class="brand" href="/console">
        <span class="mark">
          <Icon name="cart" />
        </span>
        <span>{api.title}</span>
      </a>
      <div class="groups">
        <ul>
          <Entry href="/" name={word('today')} icon="today" path={path} />
        </ul>
        {useGroups().map(([tag, operations]) => (
          <section key={tag}>
            <h2>{nameInWords(tag)}</h2>
            <ul>
              {operations.map((href) => (
                <Entry
                  key={href}
                  href={href}
                  query={api.isFeed(href) ? `?since=${startOfDay(new Date()).toISOString()}` : ''}
                  name={nameInWords(href.slice(1))}
                  icon={href.slice(1)}
                  path={path}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
      <div class="foot">
        <label>
          <span>{word('language')}</span>
          <select
            value={language()}
            onChange={(event) => onLanguage(event.currentTarget.value as Language)}
          >
            {Object.entries(languages).map(([tag, name]) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <ThemeSelect />
        <div class="account">
          <span title={String(profile.username)}>{String(profile.name ?? profile.username)}</span>
          <button type="button" class="quiet" onClick={() => signOut()}>
            {word('signOut')}
          </button>
        </div>
      </div>
    </nav>
  )
}

function ThemeSelect() {
  const [theme, setTheme] = useState(chosenTheme)
  const choose = (event: Event) => {
    const chosen = themes.find((each) => each === (event.currentTarget as HTMLSelectElement).value)
    applyTheme(chosen)
    setTheme(chosenTheme())
  }
  return (
    <label>
      <span>{word('theme')}</span>
      <select value={theme} onChange={choose}>
        {themes.map((each) => (
          <option key={each} value={each}>
            {word(each)}
          </option>
        ))}
      </select>
    </label>
  )
}

function Entry({
  href,
  query = '',
  name,
  icon,
  path,
}: {
  readonly href: string
  /** Filters of the list that it leads to. */
  readonly query?: string
  readonly name: string
  readonly icon: string
  readonly path: string
}) {
  const isCurrent = href === path || (href !== '/' && path.startsWith(`${href}/`))
  return (
    <li>
      <a
        href={pageOf(href + query)}
        aria-current={isCurrent ? (href === path ? 'page' : 'true') : undefined}
      >
        <Icon name={iconOf(icon)} />
        {name}
      </a>
    </li>
  )
}

/** The paths of the collections that the caller may list, by tag. */
function useGroups(): readonly (readonly [string, readonly string[]])[] {
  const { document: api, entry, profile } = useShop()
  const linked = new Set(linksOf(entry).map(({ href }) => href))
  // The root links what everybody may list; other collections are for administrators.
  const isShown = ({ template }: Operation) =>
    !hidden.has(template) && (linked.has(template) || profile.role === 'admin')
  const groups = new Map<string, string[]>(firstTags.map((tag) => [tag, []]))
  for (const operation of api.collections().filter(isShown)) {
    const tag = operation.tag === '' ? word('more') : operation.tag
    groups.set(tag, [...(groups.get(tag) ?? []), operation.template])
  }
  if (api.permitted('POST', '/imports')) {
    groups.set('Catalogue', [...(groups.get('Catalogue') ?? []), '/imports'])
  }
  return [...groups].filter(([, paths]) => paths.length > 0)
}
