import { inWords, t, tFirst } from '../app/messages.ts'
import type { OfferedAction } from '#api/data.ts'
import type { ClientTransition } from '#meta/screenModule.ts'
import button from '../ui/Button.module.css'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/Icon.tsx'
import { Popover } from '../ui/Popover.tsx'
import css from './OtherActions.module.css'

/** What cannot be done with the document now, and why. */
export function OtherActions({ offered, transitions }: { readonly offered: readonly OfferedAction[]; readonly transitions: readonly ClientTransition[] }) {
  const refused = offered.flatMap(({ Action, Refusal }) => (Refusal === undefined ? [] : [{ Action, Refusal }]))
  if (refused.length === 0) return null
  const label = (action: string) => t(transitions.find((transition) => transition.action === action)?.label ?? tFirst([`action.${action}`], `ui.${action}`))
  return (
    <Popover
      trigger={
        <>
          <Icon name="info" size={16} /> <span>{t('ui.actions.other')}</span>
        </>
      }
      triggerClass={classes(button['button'], button['plain'])}
      label={t('ui.actions.other')}
      align="end"
      className={css['layer']}
    >
      {() => (
        <dl className={css['list']}>
          {refused.map(({ Action, Refusal }) => (
            <div key={Action}>
              <dt>{label(Action)}</dt>
              <dd>{inWords(Refusal)}</dd>
            </div>
          ))}
        </dl>
      )}
    </Popover>
  )
}
