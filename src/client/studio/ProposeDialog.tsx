import { useId, useState } from 'react'
import type { PublicationOffer, StudioDraft, StudioProposal, StudioPublication, StudioTexts } from '#api/studio.ts'
import { t } from '../app/messages.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { downloadFile, saveFile } from '../export/downloadFile.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { describedBy, Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import css from './Studio.module.css'
import { patchCall, proposeDraft, readPublication } from './studioCalls.ts'

interface ProposeDialogProps {
  readonly draft: StudioDraft
  readonly onClose: () => void
}

/** Texts, route, menu entry and permission of the report to be; then the patch. */
export function ProposeDialog({ draft, onClose }: ProposeDialogProps) {
  const { value, problem, reload } = useAnswer(`publication ${draft.ID} ${draft.Version}`, (signal) => readPublication(draft, signal))
  const [proposal, setProposal] = useState<StudioProposal>()
  if (proposal !== undefined) return <Proposed proposal={proposal} onClose={onClose} />
  if (value !== undefined) return <Publication draft={draft} offer={value} onClose={onClose} onProposed={setProposal} />
  return (
    <Dialog title={t('studio.propose-title', { name: draft.Name })} onClose={onClose}>
      {problem === undefined ? <Skeleton lines={8} /> : <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />}
    </Dialog>
  )
}

const languages = ['en', 'cn', 'id'] as const

function Publication({ draft, offer, onClose, onProposed }: ProposeDialogProps & { readonly offer: PublicationOffer; readonly onProposed: (proposal: StudioProposal) => void }) {
  const [body, setBody] = useState<StudioPublication>(offer.record)
  const [problems, setProblems] = useState<readonly { readonly field: string; readonly text: string }[]>([])
  const [refused, setRefused] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const id = useId()
  const set = (change: Partial<StudioPublication>) => setBody((before) => ({ ...before, ...change }))
  const errorsOf = (field: string) => problems.filter((one) => one.field === field).map(({ text }) => text)
  const propose = async () => {
    setBusy(true)
    const answer = await proposeDraft(draft, body)
    setBusy(false)
    if (answer.ok) return onProposed(answer.value.record)
    setProblems(answer.problem.errors)
    return setRefused(answer.problem.text)
  }
  const box = (name: string, label: string, value: string, onType: (value: string) => void, hint?: string) => (
    <Field id={`${id}-${name}`} label={label} required hint={hint} errors={errorsOf(name)}>
      <input id={`${id}-${name}`} className={input['input']} value={value} maxLength={300} aria-invalid={errorsOf(name).length > 0 || undefined} aria-describedby={describedBy(`${id}-${name}`)} onChange={(event) => onType(event.target.value)} />
    </Field>
  )
  const texts = (name: 'Title' | 'Sentence', legend: string, hint: string) => (
    <fieldset className={classes(css['texts'], name === 'Sentence' && css['long'])}>
      <legend>{legend}</legend>
      <p className={css['aside']}>{hint}</p>
      {languages.map((language) => (
        <div key={language}>{box(`${name}.${language}`, t(`studio.language.${language}`), body[name][language], (typed) => set({ [name]: { ...body[name], [language]: typed } satisfies StudioTexts }))}</div>
      ))}
    </fieldset>
  )
  return (
    <Dialog
      title={t('studio.propose-title', { name: draft.Name })}
      shape="wide"
      onClose={onClose}
      onSubmit={() => void propose()}
      footer={
        <>
          <Button look="plain" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button look="primary" type="submit" busy={isBusy}>
            {t('studio.propose')}
          </Button>
        </>
      }
    >
      <p className={css['hint']}>{t('studio.propose-hint')}</p>
      {refused !== undefined && <p className={css['refused']} role="alert">{refused}</p>}
      {texts('Title', t('studio.title'), t('studio.title-hint'))}
      {texts('Sentence', t('studio.sentence'), t('studio.sentence-hint'))}
      <div className={css['fields']}>
        {box('Path', t('studio.path'), body.Path, (Path) => set({ Path }), t('studio.path-hint'))}
        <Field id={`${id}-group`} label={t('studio.group')} errors={errorsOf('Group')}>
          <select id={`${id}-group`} className={input['input']} value={body.Group} onChange={(event) => set({ Group: event.target.value })}>
            {offer.groups.map(({ name, label }) => (
              <option key={name} value={name}>
                {t(label)}
              </option>
            ))}
          </select>
        </Field>
        <Field id={`${id}-area`} label={t('studio.area')} errors={errorsOf('Area')}>
          <select id={`${id}-area`} className={input['input']} value={body.Area} onChange={(event) => set({ Area: event.target.value })}>
            {offer.areas.map((area) => (
              <option key={area} value={area}>
                {area}
              </option>
            ))}
          </select>
        </Field>
      </div>
      <label className={css['tick']}>
        <input type="checkbox" className={input['check']} checked={body.HasOwnPermission} onChange={(event) => set({ HasOwnPermission: event.target.checked })} />
        {t('studio.own-permission')}
      </label>
      <Field id={`${id}-note`} label={t('studio.note')} errors={errorsOf('Note')}>
        <textarea id={`${id}-note`} className={input['input']} rows={2} maxLength={1000} value={body.Note} onChange={(event) => set({ Note: event.target.value })} />
      </Field>
    </Dialog>
  )
}

/** What was proposed, and its patch. */
function Proposed({ proposal, onClose }: { readonly proposal: StudioProposal; readonly onClose: () => void }) {
  const [problem, setProblem] = useState<string>()
  const download = async () => {
    const answer = await downloadFile(patchCall(proposal), () => undefined)
    if (answer.ok) saveFile(answer.value)
    else setProblem(answer.problem.text)
  }
  return (
    <Dialog
      title={t('studio.proposed')}
      onClose={onClose}
      footer={
        <>
          <Button icon="download" onClick={() => void download()}>
            {t('studio.patch')}
          </Button>
          <Button look="primary" onClick={onClose}>
            {t('ui.close')}
          </Button>
        </>
      }
    >
      <p>{t('studio.proposed-text', { title: proposal.Title, path: proposal.Path })}</p>
      <ul className={css['files']}>
        {proposal.Files.map((file) => (
          <li key={file}>{file}</li>
        ))}
      </ul>
      {problem !== undefined && <p className={css['refused']} role="alert">{problem}</p>}
    </Dialog>
  )
}
