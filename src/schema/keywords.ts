/**
 * The types whose value differs between the code and the API, as the keyword `logical` of a schema.
 * The codec converts them; elsewhere a value is the same in both.
 */
export type LogicalType = 'money' | 'instant' | 'identifier'

/** What equal schemas share in the OpenAPI document. */
export interface NamedComponent {
  readonly name: string
  /** The description of the component; that of a use stands beside its `$ref`. */
  readonly description: string
}

/**
 * Who may set a field. `administrators`: administrators who have proved their password, and
 * `administrators-any-credential` also by a narrow credential. `fresh-sign-in`: callers who may change the
 * entity and have proved their password in the last ten minutes, or do so with the request; on creation, all
 * who may create it.
 */
export type FieldProtection = 'administrators' | 'administrators-any-credential' | 'fresh-sign-in'

/** The keywords that say more of a value than its shape. */
export interface Keywords {
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly default?: unknown
  /** The value that null stands for in a merge patch. */
  readonly valueWhenNull?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minItems?: number
  readonly maxItems?: number
  readonly propertyNames?: Pick<Keywords, 'minLength' | 'maxLength' | 'pattern' | 'examples'>
  readonly minProperties?: number
  readonly maxProperties?: number
  /** Groups of properties of which a body has exactly one; see `oneOfGroups`. */
  readonly alternatives?: readonly (NamedComponent & {
    readonly properties: readonly string[]
    readonly optional?: readonly string[]
  })[]
  /** The XML name of an item of an array, if the name of the array is no plural. */
  readonly entry?: string
  /** The OpenAPI component that equal schemas share; a text if its description is the same at every use. */
  readonly component?: string | NamedComponent
  /** Keywords of OpenAPI that a rule of the resource enforces, not the codec. */
  readonly documented?: Readonly<Record<string, unknown>>
  /** The value of a sibling field with which a text of a number is this number, as XML has it. */
  readonly numberIf?: { readonly field: string; readonly is: string }
  /** True for a field that only the response to its creation contains. */
  readonly shownOnce?: boolean
  /** True for a secret, which only requests contain. */
  readonly writeOnly?: boolean
  readonly protection?: FieldProtection
  /** True where a PUT without a protected field sets it to null; otherwise the field keeps its value. */
  readonly clearedByPut?: boolean
}

/** A schema: the supported subset of JSON Schema, with the keywords of this server. */
export interface Schema extends Keywords {
  readonly type?: string
  /** `links` are those of a resource. */
  readonly logical?: LogicalType | 'links'
  readonly enum?: readonly string[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  /** Fields that are accepted and ignored; see `requestBody`. */
  readonly ignored?: object
  readonly additionalProperties?: boolean | Schema
}
