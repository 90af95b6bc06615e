import { useShop } from '../api/context.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Problem } from '../parts/notice.tsx'
import { word } from '../words/words.ts'
import { type FormField, selectFields } from './dependent.ts'
import { Field } from './field.tsx'
import { type FormOptions, useFormState } from './form-state.ts'
import { Merge } from './merge.tsx'

interface FormProps extends FormOptions {
  readonly title: string
}

/** The form of an operation, drawn from its schema. It sends only what has changed. */
export function Form(props: FormProps) {
  const { title, operation, original, onClose } = props
  const { document: api } = useShop()
  const schema = api.schema(operation.bodySchema ?? {})
  const fields: readonly FormField[] = Object.entries(schema.properties ?? {}).map(
    ([name, each]) => [name, api.schema(each)],
  )
  const state = useFormState(props, fields)
  const { values, problems, conflict } = state
  if (conflict) {
    return (
      <Merge
        {...conflict}
        yours={values}
        schema={schema}
        onClose={onClose}
        onMerged={(merged) => void state.submitMerged(merged)}
      />
    )
  }
  return (
    <Dialog title={title} kind="side" onClose={onClose}>
      <form
        ref={state.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void state.submit()
        }}
      >
        <Problem text={state.failure} />
        {selectFields(operation.template, fields, values).map(([name, fieldSchema]) => (
          <Field
            key={name}
            name={name}
            path={name}
            schema={fieldSchema}
            value={values[name]}
            isRequired={!original && schema.required?.includes(name) === true}
            problems={problems}
            onChange={(value) => state.change(name, value)}
          />
        ))}
        <footer>
          <button type="button" onClick={onClose}>
            {word('cancel')}
          </button>
          <button type="submit" class="main" disabled={state.isSending}>
            {word('save')}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
