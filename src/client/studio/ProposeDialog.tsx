import { useId, useState } from 'react'
import type { PublicationOffer, StudioDraft, StudioProposal, StudioPublication, StudioTexts, StudioTile, TileOffer, TileType } from '#api/studio.ts'
import { tileTypes } from '#api/studio.ts'
import { t } from '../app/messages.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { downloadFile, saveFile } from '../export/downloadFile.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Field } from '../ui/Field.tsx'
import input from '../ui/input.module.css'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { TextBox } from '../ui/TextBox.tsx'
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
  const isChange = offer.isChange === true
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
    <TextBox id={`${id}-${name}`} label={label} required hint={hint} errors={errorsOf(name)} longest={300} value={value} onChange={onType} />
  )
  const inLanguages = (name: string, value: StudioTexts, onType: (texts: StudioTexts) => void) =>
    languages.map((language) => <div key={language}>{box(`${name}.${language}`, t(`studio.language.${language}`), value[language], (typed) => onType({ ...value, [language]: typed }))}</div>)
  const texts = (name: 'Title' | 'Sentence', legend: string, hint: string | undefined) => (
    <fieldset className={classes(css['texts'], name === 'Sentence' && css['long'])}>
      <legend>{legend}</legend>
      {hint !== undefined && <p className={css['aside']}>{hint}</p>}
      {inLanguages(name, body[name], (typed) => set({ [name]: typed }))}
    </fieldset>
  )
  // A tile begins with the titles of the report as they stand by now.
  const withTile = ({ Tile: _tile, ...rest }: StudioPublication, { record }: TileOffer, isWanted: boolean): StudioPublication => (isWanted ? { ...rest, Tile: { ...record, Title: rest.Title } } : rest)
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
      <p className={css['hint']}>{isChange ? t('studio.change-hint', { path: body.Path }) : t('studio.propose-hint')}</p>
      {refused !== undefined && <p className={css['refused']} role="alert">{refused}</p>}
      {texts('Title', t('studio.title'), isChange ? undefined : t('studio.title-hint'))}
      {texts('Sentence', t('studio.sentence'), t('studio.sentence-hint'))}
      {!isChange && (
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
      )}
      {!isChange && (
        <label className={css['tick']}>
          <input type="checkbox" className={input['check']} checked={body.HasOwnPermission} onChange={(event) => set({ HasOwnPermission: event.target.checked })} />
          {t('studio.own-permission')}
        </label>
      )}
      {offer.tile !== undefined && (
        <label className={css['tick']}>
          <input type="checkbox" className={input['check']} checked={body.Tile !== undefined} onChange={(event) => offer.tile !== undefined && setBody(withTile(body, offer.tile, event.target.checked))} />
          {t('studio.tile')}
        </label>
      )}
      {offer.tile !== undefined && body.Tile !== undefined && (
        <fieldset className={css['texts']}>
          <legend>{t('studio.tile-legend')}</legend>
          <p className={css['aside']}>{t('studio.tile-hint')}</p>
          <TileFields id={`${id}-tile`} tile={body.Tile} offer={offer.tile} errorsOf={errorsOf} onChange={(Tile) => set({ Tile })} />
          {inLanguages('Tile.Title', body.Tile.Title, (Title) => body.Tile !== undefined && set({ Tile: { ...body.Tile, Title } }))}
        </fieldset>
      )}
      <TextBox id={`${id}-note`} label={t('studio.note')} errors={errorsOf('Note')} lines={2} longest={1000} value={body.Note} onChange={(Note) => set({ Note })} />
    </Dialog>
  )
}

interface TileFieldsProps {
  readonly id: string
  readonly tile: StudioTile
  readonly offer: TileOffer
  readonly errorsOf: (field: string) => readonly string[]
  readonly onChange: (tile: StudioTile) => void
}

/** What the tile shows: of which measure, by what, on which dashboard. */
function TileFields({ id, tile, offer, errorsOf, onChange }: TileFieldsProps) {
  const types = tileTypes.filter((type) => type === 'kpi' || offer.groups.length > 0)
  const choose = (name: string, label: string, value: string, options: readonly { readonly value: string; readonly label: string }[], onChoose: (value: string) => void) => (
    <Field id={`${id}-${name}`} label={label} errors={errorsOf(`Tile.${name}`)}>
      <select id={`${id}-${name}`} className={input['input']} value={value} aria-invalid={errorsOf(`Tile.${name}`).length > 0 || undefined} onChange={(event) => onChoose(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Field>
  )
  const typed = (value: string): TileType => types.find((type) => type === value) ?? 'kpi'
  return (
    <>
      {offer.dashboards.length > 1 && choose('Dashboard', t('studio.tile-dashboard'), tile.Dashboard, offer.dashboards.map((one) => ({ value: one.id, label: t(one.label) })), (Dashboard) => onChange({ ...tile, Dashboard }))}
      {choose('Type', t('studio.tile-type'), tile.Type, types.map((type) => ({ value: type, label: t(`studio.tile.${type}`) })), (value) => onChange({ ...tile, Type: typed(value), By: tile.By === '' && typed(value) !== 'kpi' ? (offer.groups[0]?.key ?? '') : tile.By }))}
      {choose('Measure', t('studio.tile-measure'), tile.Measure, offer.measures.map((one) => ({ value: one.name, label: t(one.label) })), (Measure) => onChange({ ...tile, Measure }))}
      {tile.Type !== 'kpi' &&
        choose('By', t('studio.tile-by'), tile.By, offer.groups.map(({ key, label, grain }) => ({ value: key, label: grain === undefined ? t(label) : `${t(label)} · ${t(`ui.grain.${grain}`)}` })), (By) => onChange({ ...tile, By }))}
    </>
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
      <p className={css['hint']}>{t('studio.after-proposal')}</p>
      {problem !== undefined && <p className={css['refused']} role="alert">{problem}</p>}
    </Dialog>
  )
}
