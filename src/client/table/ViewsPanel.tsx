import { useAtomValue } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import type { SavedView, ViewBody } from '#api/view.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'
import type { Answer } from '../data/http.ts'
import { createView, deleteView, refreshViews, saveView } from '../data/changeViews.ts'
import { sessionAtom } from '../data/session.ts'
import { Button } from '../ui/Button.tsx'
import { HeldDays, SaveViewForm } from './SaveViewForm.tsx'
import { ViewRow, ViewTool } from './ViewRow.tsx'
import type { ViewsProps } from './ViewsMenu.tsx'
import css from './ViewsPanel.module.css'

/** The guard that says what a role sees first. */
const keeperGuard = 'saved-view-edit'

/** Names the choice of the standard view among its owner's; nobody reads it. */
const standardName = 'ui.view.standard'

/** Views to open, save, rename, share and delete, in place. */
export function ViewsPanel({ screen, views, view, isModified, isMisfit, definition, onChoose, daysIn, close }: ViewsProps & { readonly close: () => void }) {
  const session = useAtomValue(sessionAtom)
  const [isNaming, setNaming] = useState(false)
  const [refused, setRefused] = useState<{ readonly name: string; readonly text: string }>()
  const [isBusy, setBusy] = useState(false)
  const panel = useRef<HTMLDivElement>(null)
  const wasNaming = useRef(isNaming)
  // The form has gone: the keyboard goes on at the button that opened it.
  useEffect(() => {
    if (wasNaming.current) panel.current?.querySelector<HTMLElement>('[data-focus="named"]')?.focus()
    wasNaming.current = isNaming
  }, [isNaming])
  // Whoever shares a view may have renamed, changed or deleted it since the page was opened.
  const shown = view?.ID
  useEffect(() => {
    void refreshViews(shown).then((isThere) => {
      if (!isThere) void notify({ tone: 'warning', text: t('ui.view.gone'), lasts: 8000 })
    })
  }, [shown])
  const isKeeper = session?.guards.has(keeperGuard) === true
  const standard = views.find((one) => one.Definition.standard === true)
  const own = views.filter((one) => one.RoleID === null && one !== standard)
  const shared = views.filter((one) => one.RoleID !== null).sort((a, b) => Number(b.IsOfRole) - Number(a.IsOfRole))
  const send = async <T,>(asking: Promise<Answer<T>>, named?: string): Promise<T | undefined> => {
    setBusy(true)
    const answer = await asking
    setBusy(false)
    if (answer.ok) return answer.value
    const [field] = answer.problem.errors
    if (named !== undefined && field?.field === 'Name') {
      setRefused({ name: named, text: field.text })
      return undefined
    }
    void notify({ tone: 'error', title: t('ui.view.refused'), text: field?.text ?? answer.problem.text, lasts: 6000 })
    // Mostly because somebody else was faster: the next try starts from what there is now.
    void refreshViews()
    return undefined
  }
  const choose = (chosen: SavedView | undefined) => {
    close()
    onChoose(chosen)
  }
  const save = async () => {
    if (view === undefined) return
    const kept = await send(saveView(view, { Definition: definition() }))
    if (kept === undefined) return
    choose(kept.record)
    void notify({ tone: 'success', text: t('ui.view.saved', { name: kept.record.Name }) })
  }
  const saveAs = async (body: ViewBody) => {
    const kept = await send(createView({ ...body, Screen: screen, Definition: definition() }), body.Name)
    if (kept === undefined) return false
    choose(kept.record)
    void notify({ tone: 'success', text: t('ui.view.saved', { name: kept.record.Name }) })
    return true
  }
  const change = (changed: SavedView, body: ViewBody) => void send(saveView(changed, body))
  const preferStandard = () => {
    if (standard === undefined) void send(createView({ Screen: screen, Name: standardName, IsDefault: true, Definition: { standard: true } }))
    else change(standard, { IsDefault: !standard.IsDefault })
  }
  const remove = async (removed: SavedView) => {
    if ((await send(deleteView(removed))) === undefined) return
    if (removed.ID === view?.ID) choose(undefined)
    else panel.current?.querySelector('button')?.focus()
  }
  const row = (one: SavedView) => (
    <ViewRow
      key={one.ID}
      view={one}
      days={daysIn?.(one.Definition) ?? ''}
      isOwn={one.OwnerID === session?.user.user_id}
      isCurrent={one.ID === view?.ID}
      isKeeper={isKeeper}
      isBusy={isBusy}
      onChoose={() => choose(one)}
      refused={refused}
      onChange={async (body) => (await send(saveView(one, body), body.Name)) !== undefined}
      onDefault={(isDefault) => change(one, { IsDefault: isDefault })}
      onDelete={() => void remove(one)}
    />
  )
  if (isNaming) {
    return (
      <SaveViewForm deed={`view.${screen}`} view={view} days={daysIn?.(definition()) ?? ''} isNew isOwn isKeeper={isKeeper} isBusy={isBusy} refused={refused} onSave={saveAs} onCancel={() => setNaming(false)} />
    )
  }
  return (
    <div ref={panel} className={css['panel']}>
      <ul className={css['list']}>
        <li className={css['row']}>
          <button type="button" className={css['open']} aria-current={view === undefined} onClick={() => choose(undefined)}>
            {t('ui.view.standard')}
          </button>
          {/* Without another default it opens first anyway. */}
          {(standard?.IsDefault === true || shared.some(({ IsDefault, IsOfRole }) => IsDefault && IsOfRole)) && (
            <ViewTool
              icon="star"
              isOn={standard?.IsDefault === true}
              label={t(standard?.IsDefault === true ? 'ui.view.no-default' : 'ui.view.default', { name: t('ui.view.standard') })}
              onClick={preferStandard}
            />
          )}
        </li>
      </ul>
      {own.length > 0 && <h3 className={css['heading']}>{t('ui.view.own')}</h3>}
      {own.length > 0 && <ul className={css['list']}>{own.map(row)}</ul>}
      {shared.length > 0 && <h3 className={css['heading']}>{t('ui.view.shared')}</h3>}
      {shared.length > 0 && <ul className={css['list']}>{shared.map(row)}</ul>}
      {isModified && view?.CanEdit === true && <HeldDays days={daysIn?.(definition()) ?? ''} />}
      <div className={css['deeds']}>
        {(isModified || isMisfit) && view?.CanEdit === true && (
          <Button look="primary" icon="save" busy={isBusy} onClick={() => void save()}>
            {t('ui.view.save')}
          </Button>
        )}
        <Button icon="plus" data-focus="named" onClick={() => setNaming(true)}>
          {t('ui.view.save-as')}
        </Button>
        {isModified && (
          <Button look="plain" icon="undo" onClick={() => choose(view)}>
            {t('ui.view.reset')}
          </Button>
        )}
      </div>
    </div>
  )
}
