import type { Body } from '../api/json.ts'
import { Dialog } from '../parts/dialog.tsx'
import { announce } from '../parts/notice.tsx'
import { nameInWords, word } from '../words/words.ts'

const secretNames = ['secret', 'key', 'client_secret', 'token']

/** The fields of a response that are shown only once. */
export const secretsOf = (body: Body): readonly (readonly [string, string])[] =>
  secretNames.flatMap((name) => {
    const value = body[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })

/** Shows the secrets of a response until they are copied or closed. */
export function Secret({ body, onClose }: { readonly body: Body; readonly onClose: () => void }) {
  const copy = async (text: string) => {
    await navigator.clipboard.writeText(text)
    announce(word('copied'))
  }
  return (
    <Dialog title={word('secretTitle')} onClose={onClose}>
      <p>{word('secretText')}</p>
      {secretsOf(body).map(([name, text]) => (
        <div key={name} class="secret">
          <span>{nameInWords(name)}</span>
          <code>{text}</code>
          <button type="button" onClick={() => copy(text)}>
            {word('copy')}
          </button>
        </div>
      ))}
    </Dialog>
  )
}
