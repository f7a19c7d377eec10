import Form, { type FormState } from '@rjsf/core'
import createPrecompiledValidator from '@rjsf/validator-ajv8/lib/createPrecompiledValidator.js'
import { memo, useState, useSyncExternalStore } from 'react'
import { t } from '../app/messages.ts'
import { Field } from '../ui/Field.tsx'
import { classes } from '../ui/classes.ts'
import css from './FormHost.module.css'
import { asksFirst, fieldId, useFieldProblem, useFormShared } from './FormContext.ts'
import { FieldInput } from './FieldInput.tsx'
import { isRequired, isSectionVisible, visibleFields } from './formModel.ts'
import { FormGrid } from './FormGrid.tsx'
import { FormSectionSlot } from './FormSectionSlot.tsx'
import { isNothing } from './same.ts'
import type { FieldProps, ObjectFieldTemplateProps, RJSFSchema, UiSchema, ValidatorType } from '@rjsf/utils'
import type { ValidatorFunctions } from '@rjsf/validator-ajv8'
import type { FormValidation } from '#meta/formValidation.ts'
import type { FormField } from '#meta/resolved.ts'

/**
 * The only file that knows rjsf. Header fields of a form: the frozen schema and its precompiled validators go in unchanged; labels and
 * looks come from the screen through `uiSchema`; hiding, permission and problems are the templates' own. Values are the store's, and each field
 * takes its own from there: a change draws that field and is not worked through rjsf.
 */
export const FormHost = memo(function FormHost({ validation }: { readonly validation: FormValidation }) {
  return (
    <StillForm
      tagName="div"
      schema={validation.schema as RJSFSchema}
      uiSchema={uiSchema}
      formData={noValues}
      validator={validatorOf(validation)}
      templates={templates}
      fields={fields}
      idPrefix="form"
      noValidate
      showErrorList={false}
      experimental_defaultFormStateBehavior={defaults}
    />
  )
})

const noValues = {}

const validators = new WeakMap<FormValidation, ValidatorType>()

function validatorOf(validation: FormValidation): ValidatorType {
  const known = validators.get(validation)
  if (known !== undefined) return known
  // The generated functions are ajv's, declared by the shape we use of them.
  const made = createPrecompiledValidator(validation.validators as unknown as ValidatorFunctions, validation.schema as RJSFSchema)
  validators.set(validation, made)
  return made
}

const workedOut = new WeakMap<ValidatorType, FormState>()

/** What rjsf works out of a schema without values is the same whenever its form is opened: once is enough. */
class StillForm extends Form {
  override getStateFromProps(...given: Parameters<Form['getStateFromProps']>): FormState {
    const [{ validator }] = given
    const known = workedOut.get(validator)
    if (known !== undefined) return known
    const made = super.getStateFromProps(...given)
    workedOut.set(validator, made)
    return made
  }
}

// Defaults are seeded when a record is opened; rjsf adds none of its own.
const defaults = { emptyObjectFields: 'skipDefaults', arrayMinItems: { populate: 'never' }, allOf: 'skipDefaults' } as const

const uiSchema: UiSchema = { 'ui:submitButtonOptions': { norender: true } }
const templates = { ObjectFieldTemplate: SectionsTemplate }
// The schema is flat and its fields are known by name: what rjsf would work out for each of them, layer by layer, the screen has said.
const fields = { SchemaField: SchemaPart }

/** The whole form is rjsf's object; a field is ours. */
function SchemaPart(props: FieldProps) {
  const { ObjectField } = props.registry.fields
  return props.schema.type === 'object' && ObjectField !== undefined ? <ObjectField {...props} /> : <FieldPart wire={props.name} />
}

/** Lays the fields out in the sections of the open tab. */
function SectionsTemplate({ properties }: ObjectFieldTemplateProps) {
  const { session, tab } = useFormShared()
  const { screen, store } = session
  const values = useSyncExternalStore(store.onChange, () => store.values)
  const [seen, setSeen] = useState<readonly (string | undefined)[]>([tab])
  if (!seen.includes(tab)) setSeen([...seen, tab])
  const content = new Map(properties.map((property) => [property.name, property.content]))
  const visible = new Set(visibleFields(screen, values, store.around).map((field) => field.wire))
  return (
    <>
      {screen.sections
        .filter((section) => isSectionVisible(section, values, store.around))
        .map((section) => {
          const heading = t(section.title)
          const isHere = tab === undefined || section.tab === undefined || section.tab === tab
          // What a part holds would go with it: on another tab it is only out of sight.
          if ((section.slot ?? section.ticks ?? section.files) !== undefined) return <FormSectionSlot key={section.id} section={section} hidden={!isHere} />
          if (section.lines !== undefined) return isHere ? <FormGrid key={section.id} lines={section.lines} label={heading} /> : null
          // What was typed and could not be read stands in its input alone.
          if (!isHere && !seen.includes(section.tab)) return null
          const shown = section.fields.filter((field) => visible.has(field.wire))
          return (
            <section key={section.id} className={css['section']} aria-label={heading} hidden={!isHere}>
              <h2 className={css['heading']}>{heading}</h2>
              <div className={classes(css['grid'], !shown.every(isTick) && css['mixed'])}>
                {shown.map((field) => (
                  <div key={field.wire} className={classes(css['cell'], css[`span${field.span}`])}>
                    {content.get(field.wire)}
                  </div>
                ))}
              </div>
            </section>
          )
        })}
    </>
  )
}

const isTick = ({ type, widget }: FormField): boolean => type === 'boolean' && widget !== 'switch'

/** Label above, input, message below; a tick has its label beside it. */
const FieldPart = memo(function FieldPart({ wire }: { readonly wire: string }) {
  const { session, prefix, readOnly: isClosed, open } = useFormShared()
  const readOnly = isClosed || open?.includes(wire) === false
  const { store } = session
  const field = session.field(wire)
  const value = useSyncExternalStore(store.onChange, () => (isNothing(store.values[wire]) ? '' : store.values[wire]))
  const problem = useFieldProblem(wire)
  const required = useSyncExternalStore(store.onChange, () => field !== undefined && isRequired(field, store.values, store.around))
  if (field === undefined) return null
  return (
    <div
      data-field={wire}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) session.checkField(wire)
      }}
    >
      <Field
        id={fieldId(prefix, wire)}
        label={t(field.label)}
        required={!readOnly && required}
        errors={problem === undefined ? [] : [problem]}
        {...(asksFirst(field, session, readOnly) ? { hint: t('ui.form.approved') } : {})}
        className={isTick(field) ? css['tick'] : undefined}
      >
        <FieldInput field={field} value={value} required={required} readOnly={readOnly || field.readOnly} problem={problem} />
      </Field>
    </div>
  )
})
