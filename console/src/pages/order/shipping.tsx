import { useState } from 'preact/hooks'
import { linkOf } from '../../api/links.ts'
import type { Answer } from '../../api/request.ts'
import { Action } from '../../forms/actions.tsx'
import { Badge, Value } from '../../parts/value.tsx'
import { nameInWords, word } from '../../words/words.ts'
import { Address } from '../address.tsx'

/** Where an order goes, how, and how far it has come. */
export function Shipping({
  answer,
  onChanged,
}: {
  readonly answer: Answer | undefined
  readonly onChanged: () => Promise<void>
}) {
  const [isEditing, setEditing] = useState(false)
  if (!answer) return null
  const shipping = answer.body
  const update = linkOf(shipping, 'update') ?? linkOf(shipping, 'edit')
  return (
    <section class="card">
      <header>
        <h2>{word('shipping')}</h2>
        <Badge text={String(shipping.status)} />
      </header>
      <Address shipping={shipping} />
      <dl class="pairs">
        {['method', 'carrier', 'tracking_number', 'shipped_at', 'delivered_at'].map((name) =>
          shipping[name] === null ? null : (
            <div key={name}>
              <dt>{nameInWords(name)}</dt>
              <dd>
                {name === 'method' ? (
                  nameInWords(String(shipping.method))
                ) : (
                  <Value
                    value={shipping[name]}
                    schema={/_at$/.test(name) ? { format: 'date-time' } : {}}
                    name={name}
                  />
                )}
              </dd>
            </div>
          ),
        )}
      </dl>
      <footer>
        {typeof shipping.tracking_url === 'string' && (
          <a href={shipping.tracking_url} target="_blank" rel="noreferrer">
            {word('track')}
          </a>
        )}
        {update && (
          <button type="button" data-link={update.name} onClick={() => setEditing(true)}>
            {word('edit')}
          </button>
        )}
      </footer>
      {isEditing && update && (
        <Action
          link={update}
          answer={answer}
          onDone={async () => {
            await onChanged()
            setEditing(false)
          }}
          onStale={onChanged}
          onClose={() => setEditing(false)}
        />
      )}
    </section>
  )
}
