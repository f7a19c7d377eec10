import { useId, useState } from 'react'
import { t } from '../app/messages.ts'
import { Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { useStepDraft } from '../wizards/host/useStepDraft.ts'
import { Wizard } from '../wizards/host/Wizard.tsx'
import type { StepProblem } from '../wizards/host/steps.ts'

/** Texts of the samples are in no catalogue of the product. */
const title = 'screen.sample.wizard'
const nothing = { name: '', city: '', limit: '' }
type Values = typeof nothing

/** Three steps over a few inputs: checks, a draft, a step that opens late, an end. */
export function SampleWizard() {
  const [values, setValues] = useState<Values>(nothing)
  const [saved, setSaved] = useState<Values>(nothing)
  const ids = useId()
  const draft = useStepDraft('draft:0:sample.wizard', values, saved, (kept) => setValues({ ...nothing, ...kept }))
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved)
  const missing = (...names: readonly (keyof Values)[]): readonly StepProblem[] =>
    names.filter((name) => values[name].trim() === '').map((name) => ({ text: t('sample.wizard.missing', { field: t(`sample.wizard.${name}`) }), fieldId: `${ids}-${name}` }))
  const field = (name: keyof Values) => (
    <Field id={`${ids}-${name}`} label={t(`sample.wizard.${name}`)} required={name !== 'limit'}>
      <input id={`${ids}-${name}`} className={input['input']} value={values[name]} onChange={(event) => setValues({ ...values, [name]: event.target.value })} />
    </Field>
  )
  return (
    <>
      <h1>{t(title)}</h1>
      <Wizard
        label={t(title)}
        draft={draft}
        isDirty={isDirty}
        steps={[
          { id: 'who', title: t('sample.wizard.who'), isOpen: true, check: () => missing('name', 'city'), content: <div className={input['stack']}>{field('name')}{field('city')}</div> },
          { id: 'what', title: t('sample.wizard.what'), isOpen: true, count: values.limit === '' ? undefined : '1', content: field('limit') },
          { id: 'end', title: t('sample.wizard.end'), isOpen: values.name !== '', content: <p>{t('sample.wizard.summary', { ...values })}</p> },
        ]}
        finish={{ label: t('ui.save'), run: () => setSaved(values) }}
      />
    </>
  )
}
