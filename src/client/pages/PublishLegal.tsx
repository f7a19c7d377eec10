import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { addDays } from '#base/date.ts'
import { profileLanguages, type LegalLanguage, type LegalText } from '#api/account.ts'
import { formatDate, today } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import { publishLegal, readLegal } from '../data/profile.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { DateInput } from '../form/DateInput.tsx'
import { say } from '../form/message.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { describedBy, Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { Tabs } from '../ui/Tabs.tsx'
import { TextBox } from '../ui/TextBox.tsx'
import { goToTooLong, tooLong } from '../ui/tooLong.ts'
import { LegalBody } from './LegalBody.tsx'
import css from './PublishLegal.module.css'

interface PublishLegalProps {
  readonly kind: 'terms' | 'privacy'
  readonly onClose: () => void
  readonly onPublished: () => void
}

type Texts = Readonly<Record<LegalLanguage, { readonly title: string; readonly body: string }>>

/** So many characters each. */
const longest = { title: 255, body: 40_000 }

/** A new version of a legal text: begins with the text in force, shows beside it how it will be read. */
export function PublishLegal({ kind, onClose, onPublished }: PublishLegalProps) {
  const { value, problem, reload } = useAnswer(`publish ${kind}`, async (signal) => {
    const answers = await Promise.all(profileLanguages.map((language) => readLegal(kind, language, signal)))
    const refused = answers.find((answer) => !answer.ok)
    return refused ?? { ok: true as const, value: answers.flatMap((answer) => (answer.ok ? [answer.value] : [])) }
  })
  if (value === undefined || !Array.isArray(value)) {
    return (
      <Dialog title={t(`ui.legal.publish.${kind}`)} shape="wide" onClose={onClose}>
        {problem === undefined ? <Skeleton lines={10} /> : <ErrorState title={t('ui.page-failed')} text={problem.text} onRetry={reload} />}
      </Dialog>
    )
  }
  return <Draft kind={kind} now={value} onClose={onClose} onPublished={onPublished} />
}

function Draft({ kind, now, onClose, onPublished }: PublishLegalProps & { readonly now: readonly LegalText[] }) {
  const id = useId()
  const [version, setVersion] = useState(() => nextVersion(now[0]?.version ?? '0'))
  const [from, setFrom] = useState(() => addDays(today(), 1))
  const [unread, setUnread] = useState<string>()
  const [texts, setTexts] = useState<Texts>(() => startOf(now))
  const [language, setLanguage] = useState<LegalLanguage>('en')
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [asking, setAsking] = useState<'publish' | 'leave'>()
  const [isBusy, setBusy] = useState(false)
  const form = useRef<HTMLDivElement>(null)
  const [start] = useState(texts)
  const shown = texts[language]
  const change = (part: Partial<typeof shown>) => setTexts({ ...texts, [language]: { ...shown, ...part } })
  const close = () => (texts === start ? onClose() : setAsking('leave'))

  const publish = async () => {
    setBusy(true)
    // A language left empty is read in English.
    const given = Object.fromEntries(Object.entries(texts).filter(([name, { title, body }]) => name === 'en' || title.trim() !== '' || body.trim() !== ''))
    const answer = await publishLegal(kind, { version: version.trim(), effective_from: from, texts: given })
    setBusy(false)
    setAsking(undefined)
    if (answer.ok) {
      void notify({ tone: 'success', text: t('ui.legal.publish.done', { version: version.trim(), date: formatDate(from) }) })
      onPublished()
      return
    }
    const found = Object.fromEntries(answer.problem.errors.map(({ field, text }) => [field, text]))
    setErrors(Object.keys(found).length === 0 ? { '': answer.problem.text } : found)
    const wrong = profileLanguages.find((one) => found[`texts.${one}`] !== undefined)
    if (wrong !== undefined) setLanguage(wrong)
  }
  const errorsOf = (field: string): readonly string[] => (errors[field] === undefined ? [] : [errors[field]])
  const fromErrors = unread === undefined ? errorsOf('effective_from') : [unread]
  const ask = () => {
    if (unread !== undefined) return document.getElementById(`${id}-from`)?.focus()
    // What is too long in another language stands on its tab.
    const long = [language, ...profileLanguages].find((one) => tooLong(texts[one].title, longest.title) !== undefined || tooLong(texts[one].body, longest.body) !== undefined)
    if (long !== undefined) flushSync(() => setLanguage(long))
    return goToTooLong(form.current) ? undefined : setAsking('publish')
  }

  return (
    <Dialog
      title={t(`ui.legal.publish.${kind}`)}
      shape="wide"
      onClose={close}
      footer={
        <>
          <Button onClick={close}>{t('ui.cancel')}</Button>
          <Button look="primary" busy={isBusy} onClick={ask}>
            {t('ui.legal.publish')}
          </Button>
        </>
      }
    >
      {errors[''] !== undefined && (
        <p role="alert" className={input['problem']}>
          {errors['']}
        </p>
      )}
      <div ref={form}>
      <div className={css['head']}>
        <TextBox id={`${id}-version`} label={t('ui.legal.publish.version')} required errors={errorsOf('version')} hint={t('ui.legal.publish.now', { version: now[0]?.version ?? '–', date: formatDate(now[0]?.effective_from) })} longest={30} value={version} onChange={setVersion} />
        <Field id={`${id}-from`} label={t('ui.legal.publish.from')} required errors={fromErrors}>
          <DateInput id={`${id}-from`} label={t('ui.legal.publish.from')} value={from} required invalid={fromErrors.length > 0} describedBy={describedBy(`${id}-from`)} onUnread={(message) => setUnread(message === undefined ? undefined : say(message, t))} onChange={(day) => setFrom(day ?? '')} />
        </Field>
      </div>
      <Tabs label={t('ui.language')} tabs={profileLanguages.map((one) => ({ id: one, title: t(`enum.${one}`) }))} current={language} onSelect={(one) => setLanguage(profileLanguages.find((known) => known === one) ?? 'en')}>
        <div className={css['halves']}>
          <div className={css['half']}>
            <TextBox id={`${id}-title`} label={t('ui.legal.publish.title')} required={language === 'en'} longest={longest.title} value={shown.title} onChange={(title) => change({ title })} />
            <TextBox id={`${id}-body`} label={t('ui.legal.publish.body')} required={language === 'en'} hint={t('ui.legal.publish.how')} errors={errorsOf(`texts.${language}`)} lines={16} longest={longest.body} value={shown.body} onChange={(body) => change({ body })} />
          </div>
          <section className={css['half']} aria-label={t('ui.legal.publish.preview')}>
            <h3>{t('ui.legal.publish.preview')}</h3>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must get there */}
            <div className={css['preview']} tabIndex={0} role="region" aria-label={shown.title}>
              <h2>{shown.title}</h2>
              <LegalBody text={shown.body} level={3} />
            </div>
          </section>
        </div>
      </Tabs>
      </div>
      {asking === 'publish' && (
        <ConfirmDialog
          title={t('ui.legal.publish')}
          text={t(`ui.legal.publish.ask.${kind}`, { version: version.trim(), date: formatDate(from) })}
          confirm={t('ui.legal.publish')}
          busy={isBusy}
          onConfirm={() => void publish()}
          onClose={() => setAsking(undefined)}
        />
      )}
      {asking === 'leave' && <ConfirmDialog title={t('ui.legal.publish.leave')} text={t('ui.legal.publish.leave-text')} confirm={t('ui.legal.publish.leave')} look="negative" onConfirm={onClose} onClose={() => setAsking(undefined)} />}
    </Dialog>
  )
}

/** The texts in force; empty where a language has none of its own and is read in English. */
function startOf(now: readonly LegalText[]): Texts {
  const of = (language: LegalLanguage): Texts[LegalLanguage] => {
    const found = now.find((text) => text.language === language)
    return { title: found?.title ?? '', body: found?.body ?? '' }
  }
  return { en: of('en'), cn: of('cn'), id: of('id') }
}

/** `1.9` is followed by `1.10`. */
function nextVersion(version: string): string {
  return version.replace(/\d+$/, (last) => String(Number(last) + 1))
}
