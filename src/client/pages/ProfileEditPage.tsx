import { useSetAtom } from 'jotai'
import { useId, useRef, useState } from 'react'
import { dateFormats, profileDensities, profileLanguages, profileThemes, type ProfileAnswer, type ProfileBody } from '#api/account.ts'
import { useHistory } from '../app/historyContext.ts'
import { t } from '../app/messages.ts'
import { adoptPreferences, themeAtom } from '../app/preferences.ts'
import { notify } from '../app/toasts.ts'
import { readProfile, saveProfile } from '../data/profile.ts'
import { sessionAtom, type Session } from '../data/session.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Button } from '../ui/Button.tsx'
import { LeaveGuard } from '../form/LeaveGuard.tsx'
import { describedBy, Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { TextBox } from '../ui/TextBox.tsx'
import { goToTooLong } from '../ui/tooLong.ts'
import { PictureField } from './PictureField.tsx'
import css from './ProfileForm.module.css'

/** What the user decides about himself: his name as others see it, and how the product looks to him, in every browser. */
export function ProfileEditPage() {
  const { value, problem, reload } = useAnswer('profile', (signal) => readProfile(signal))
  if (problem !== undefined) return <ErrorState title={t('ui.page-failed')} text={problem.text} onRetry={reload} />
  if (value === undefined) return <Skeleton lines={8} />
  return <ProfileForm profile={value} />
}

const choices = { language: profileLanguages, theme: profileThemes, density: profileDensities, date_format: dateFormats } as const
type Choice = keyof typeof choices
const choiceNames = ['language', 'theme', 'density', 'date_format'] as const satisfies readonly Choice[]

function ProfileForm({ profile }: { readonly profile: ProfileAnswer }) {
  const id = useId()
  const history = useHistory()
  const setSession = useSetAtom(sessionAtom)
  const setTheme = useSetAtom(themeAtom)
  const [values, setValues] = useState<ProfileBody>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [isBusy, setBusy] = useState(false)
  // Known at once, not with the next repaint: the page is left right after saving.
  const isSaved = useRef(false)
  const now = { ...profile, ...values }
  const isDirty = (Object.keys(values) as (keyof ProfileBody)[]).some((key) => (values[key] ?? '') !== (profile[key] ?? ''))
  const set = (next: ProfileBody) => {
    setValues((before) => ({ ...before, ...next }))
    setErrors({})
  }

  // Chosen on purpose, it also takes back what the menu of the top bar has chosen.
  const asTheSystemHasIt = () => {
    if (values.theme === null) setTheme(null)
  }
  const submit = async () => {
    if (now.name.trim() === '') {
      setErrors({ name: t('ui.profile.name-missing') })
      document.getElementById(`${id}-name`)?.focus()
      return
    }
    if (!isDirty) {
      asTheSystemHasIt()
      history.push('/profile')
      return
    }
    setBusy(true)
    const answer = await saveProfile(values)
    setBusy(false)
    if (!answer.ok) {
      setErrors(Object.fromEntries(answer.problem.errors.map((error) => [error.field, error.text])))
      if (answer.problem.errors.length === 0) await notify({ tone: 'error', text: answer.problem.text })
      return
    }
    isSaved.current = true
    const { name, language, theme, density, date_format } = answer.value
    setSession((session: Session | undefined) => session && { ...session, user: { ...session.user, name, language, theme, density, date_format } })
    void notify({ tone: 'success', text: t('ui.form.saved') })
    history.push('/profile')
    await adoptPreferences({ language, theme, density, date_format })
    asTheSystemHasIt()
  }

  return (
    <form
      className={css['form']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!goToTooLong(event.currentTarget)) void submit()
      }}
    >
      <h1>{t('page.profile-edit')}</h1>
      <PictureField name={now.name} />
      <section className={css['section']} aria-labelledby={`${id}-person`}>
        <h2 id={`${id}-person`}>{t('ui.profile.person')}</h2>
        <div className={css['fields']}>
          {(['name', 'phone'] as const).map((key) => (
            <TextBox
              key={key}
              id={`${id}-${key}`}
              label={t(`field.${key}`)}
              required={key === 'name'}
              errors={errors[key] === undefined ? [] : [errors[key]]}
              type={key === 'phone' ? 'tel' : 'text'}
              autoComplete={key === 'phone' ? 'tel' : 'name'}
              longest={key === 'phone' ? 40 : 255}
              value={now[key] ?? ''}
              onChange={(text) => set({ [key]: text })}
            />
          ))}
          <Field id={`${id}-email`} label={t('field.email')} hint={t('ui.profile.email-hint')}>
            <input id={`${id}-email`} className={input['input']} value={profile.email} readOnly aria-describedby={describedBy(`${id}-email`)} />
          </Field>
        </div>
      </section>
      <section className={css['section']} aria-labelledby={`${id}-looks`}>
        <h2 id={`${id}-looks`}>{t('ui.profile.looks')}</h2>
        <p className={css['about']}>{t('ui.profile.looks-about')}</p>
        <div className={css['fields']}>
          {choiceNames.map((key) => (
            <Field key={key} id={`${id}-${key}`} label={t(`field.${key}`)} errors={errors[key] === undefined ? [] : [errors[key]]}>
              <select id={`${id}-${key}`} className={input['input']} value={now[key] ?? ''} onChange={(event) => set(chosen(key, event.target.value))}>
                <option value="">{t(key === 'date_format' ? 'ui.profile.default' : key === 'theme' ? 'ui.profile.system' : 'ui.profile.browser')}</option>
                {choices[key].map((choice) => (
                  <option key={choice} value={choice}>
                    {t(`enum.${choice}`)}
                  </option>
                ))}
              </select>
            </Field>
          ))}
        </div>
      </section>
      <footer className={css['foot']}>
        <Button onClick={() => history.push('/profile')}>{t('ui.cancel')}</Button>
        <Button type="submit" look="primary" busy={isBusy}>
          {t('ui.profile.save')}
        </Button>
      </footer>
      <LeaveGuard isDirty={() => isDirty && !isSaved.current} text={t('ui.profile.leave')} />
    </form>
  )
}

function chosen(key: Choice, value: string): ProfileBody {
  switch (key) {
    case 'language':
      return { language: profileLanguages.find((one) => one === value) ?? null }
    case 'theme':
      return { theme: profileThemes.find((one) => one === value) ?? null }
    case 'density':
      return { density: profileDensities.find((one) => one === value) ?? null }
    case 'date_format':
      return { date_format: dateFormats.find((one) => one === value) ?? null }
  }
}
