import { useAtomValue } from 'jotai'
import type { ProfileAnswer } from '#api/account.ts'
import { formatDate } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { saidTime } from '../app/saidTime.ts'
import { UserPicture } from '../app/UserPicture.tsx'
import { readProfile } from '../data/profile.ts'
import { sessionAtom } from '../data/session.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import facts from './Facts.module.css'
import css from './ProfilePage.module.css'
import { SessionList } from './SessionList.tsx'

/** What the product knows of the user, and where he is signed in. */
export function ProfilePage() {
  const { value, problem, reload } = useAnswer('profile', (signal) => readProfile(signal))
  const user = useAtomValue(sessionAtom)?.user
  if (problem !== undefined) return <ErrorState title={t('ui.page-failed')} text={problem.text} onRetry={reload} />
  if (value === undefined) return <Skeleton lines={8} />
  return (
    <div className={css['page']}>
      <header className={css['head']}>
        <UserPicture name={value.name} pictureKey={user?.picture_key} size="large" />
        <div className={css['who']}>
          <h1>{value.name}</h1>
          <p>{value.email}</p>
          <p>{value.role_name}</p>
        </div>
        <nav className={css['ways']} aria-label={t('page.profile')}>
          <Link className={css['way']} to="/profile/edit">
            {t('ui.profile.edit')}
          </Link>
          <Link className={css['way']} to="/profile/change-password">
            {t('ui.profile.change-password')}
          </Link>
        </nav>
      </header>
      <Known profile={value} />
      <SessionList />
    </div>
  )
}

function Known({ profile }: { readonly profile: ProfileAnswer }) {
  const isNever = profile.password_change_date.startsWith('0001')
  const chosen = (value: string | null): string => (value === null ? t('ui.profile.browser') : t(`enum.${value}`))
  const rows: readonly (readonly [label: string, value: string | null])[] = [
    [t('field.phone'), profile.phone],
    [t('field.work_number'), profile.work_number],
    [t('field.operating_unit_id'), profile.operating_unit ?? t('ui.profile.all-units')],
    [t('ui.profile.territories'), profile.territories.length === 0 ? t('ui.profile.all-territories') : profile.territories.join(', ')],
    [t('field.language'), chosen(profile.language)],
    [t('field.theme'), chosen(profile.theme)],
    [t('field.date_format'), chosen(profile.date_format ?? 'DD/MM/YYYY')],
    [t('ui.profile.password-changed'), isNever ? t('ui.profile.never') : saidTime(profile.password_change_date)],
    [t('ui.profile.password-expires'), isNever ? null : formatDate(profile.password_expires_at)],
    [t('ui.profile.terms'), profile.tos_version === null ? null : t('ui.profile.terms-agreed', { version: profile.tos_version, date: formatDate(profile.tos_agreed_at) })],
  ]
  return (
    <dl className={facts['facts']}>
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value === null || value === '' ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  )
}
