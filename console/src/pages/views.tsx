import { useState } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { open, type Place } from '../router.ts'
import { word } from '../words/words.ts'

interface View {
  readonly name: string
  readonly query: string
}

const keyOf = (path: string): string => `cartwright.console.views ${path}`

function readViews(path: string): readonly View[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(path)) ?? '[]')
  } catch {
    return []
  }
}

/** The saved filters and orders of a collection, kept in this browser. */
export function Views({ place }: { readonly place: Place }) {
  const [views, setViews] = useState(() => readViews(place.path))
  const [isNaming, setNaming] = useState(false)
  const [name, setName] = useState('')
  const store = (changed: readonly View[]) => {
    localStorage.setItem(keyOf(place.path), JSON.stringify(changed))
    setViews(changed)
  }
  const save = (event: Event) => {
    event.preventDefault()
    const query = new URLSearchParams(place.query)
    query.delete('cursor')
    store([...views.filter((each) => each.name !== name), { name, query: String(query) }])
    setNaming(false)
    setName('')
  }
  if (views.length === 0 && place.query.size === 0) return null
  return (
    <details class="menu">
      <summary>{word('views')}</summary>
      <div class="sheet">
        {views.map((view) => (
          <div key={view.name} class="view">
            <button type="button" class="quiet" onClick={() => open(`${place.path}?${view.query}`)}>
              {view.name}
            </button>
            <button
              type="button"
              class="quiet icon"
              aria-label={`${word('remove')}: ${view.name}`}
              onClick={() => store(views.filter((each) => each !== view))}
            >
              <Icon name="close" />
            </button>
          </div>
        ))}
        <button type="button" onClick={() => setNaming(true)} disabled={place.query.size === 0}>
          {word('saveView')}
        </button>
      </div>
      {isNaming && (
        <Dialog title={word('saveView')} onClose={() => setNaming(false)}>
          <form onSubmit={save}>
            <div class="field">
              <label for="view-name">{word('viewName')}</label>
              <input
                id="view-name"
                required
                maxLength={60}
                value={name}
                onInput={(event) => setName(event.currentTarget.value)}
              />
            </div>
            <footer>
              <button type="submit" class="main">
                {word('save')}
              </button>
            </footer>
          </form>
        </Dialog>
      )}
    </details>
  )
}
