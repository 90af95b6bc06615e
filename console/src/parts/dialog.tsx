import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { word } from '../words/words.ts'
import { Icon } from './icon.tsx'

interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /** `side` fills the height at the end of the line. */
  readonly kind?: 'box' | 'side'
  readonly children: ComponentChildren
}

/** A modal dialog: it holds the focus, closes by Escape and gives the focus back. */
export function Dialog({ title, onClose, kind = 'box', children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null
    ref.current?.showModal()
    return () => opener?.focus?.()
  }, [])
  const cancel = (event: Event) => {
    event.preventDefault()
    onClose()
  }
  return (
    <dialog ref={ref} class={`dialog ${kind}`} aria-labelledby={titleId} onCancel={cancel}>
      <header>
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="quiet icon" aria-label={word('close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </header>
      {children}
    </dialog>
  )
}
