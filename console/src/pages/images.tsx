import { useRef, useState } from 'preact/hooks'
import { useShop } from '../api/context.ts'
import type { Body } from '../api/json.ts'
import { linkOf } from '../api/links.ts'
import { write } from '../api/write.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { announce, describeError, Problem } from '../parts/notice.tsx'
import { word } from '../words/words.ts'

/** The pictures of a product: upload, describe, order and delete. */
export function Images({
  product,
  onChanged,
}: {
  readonly product: Body
  readonly onChanged: () => void
}) {
  const { document: api } = useShop()
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const link = linkOf(product, 'images')
  if (!link && !Array.isArray(product.images)) return null
  const href = link?.href ?? `/products/${String(product.id)}/images`
  const images = (product.images ?? []) as readonly Body[]
  const change = async (work: () => Promise<unknown>) => {
    setBusy(true)
    setProblem('')
    try {
      await work()
      announce(word('saved'))
    } catch (error) {
      setProblem(describeError(error))
    } finally {
      setBusy(false)
      onChanged()
    }
  }
  const upload = (files: readonly File[]) =>
    change(async () => {
      // The others are uploaded although one fails.
      const failures: string[] = []
      for (const file of files) {
        await write('POST', href, { body: file }).catch((error) => {
          failures.push(`${file.name}: ${describeError(error)}`)
        })
      }
      if (failures.length > 0) throw new Error(failures.join('\n'))
    })
  const mayUpload = link !== undefined && api.permitted('POST', href) !== undefined
  return (
    <section class="card" aria-busy={isBusy}>
      <header>
        <h2>{word('images')}</h2>
        {mayUpload && (
          <button type="button" disabled={isBusy} onClick={() => input.current?.click()}>
            <Icon name="plus" />
            {word('upload')}
          </button>
        )}
      </header>
      <input
        ref={input}
        class="unseen"
        type="file"
        multiple
        tabIndex={-1}
        aria-label={word('upload')}
        accept="image/jpeg,image/png,image/webp,image/avif"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          // The same file can be chosen again.
          event.currentTarget.value = ''
          void upload(files)
        }}
      />
      <Problem text={problem} />
      {images.length === 0 && <p class="quiet-text">{word('noImages')}</p>}
      <ul class="images">
        {images.map((image) => (
          <Picture key={String(image.id)} {...{ image, href, mayUpload, change }} />
        ))}
      </ul>
    </section>
  )
}

function Picture({
  image,
  href,
  mayUpload,
  change,
}: {
  readonly image: Body
  readonly href: string
  readonly mayUpload: boolean
  readonly change: (work: () => Promise<unknown>) => Promise<void>
}) {
  const self = `${href}/${String(image.id)}`
  const [isDeleting, setDeleting] = useState(false)
  const urls = (image.urls ?? {}) as Body
  const describe = (alt: string) => {
    if (alt !== (image.alt ?? '')) void change(() => write('PATCH', self, { body: { alt } }))
  }
  return (
    <li>
      <img
        src={new URL(String(urls['320']), location.origin).pathname}
        alt={String(image.alt ?? '')}
        loading="lazy"
      />
      {mayUpload && (
        <>
          <input
            aria-label={word('alt')}
            placeholder={word('alt')}
            value={String(image.alt ?? '')}
            onBlur={(event) => describe(event.currentTarget.value)}
          />
          <div class="actions">
            <button
              type="button"
              class="quiet"
              disabled={Number(image.position) <= 1}
              onClick={() =>
                change(() =>
                  write('PATCH', self, { body: { position: Number(image.position) - 1 } }),
                )
              }
            >
              {word('moveUp')}
            </button>
            <button type="button" class="quiet" onClick={() => setDeleting(true)}>
              {word('delete')}
            </button>
          </div>
        </>
      )}
      {isDeleting && (
        <Dialog title={word('deleteImage')} onClose={() => setDeleting(false)}>
          <footer>
            <button type="button" onClick={() => setDeleting(false)}>
              {word('cancel')}
            </button>
            <button
              type="button"
              class="danger main"
              onClick={() => {
                setDeleting(false)
                void change(() => write('DELETE', self))
              }}
            >
              {word('delete')}
            </button>
          </footer>
        </Dialog>
      )}
    </li>
  )
}
