import { t } from '../app/messages.ts'
import css from './print.module.css'
import { text } from './wire.ts'
import type { WireRecord } from '#api/envelope.ts'

/** Company at the left, name and number of the document at the right. */
export function SheetHead({ company, logo, title, code }: { readonly company: WireRecord | undefined; readonly logo: string | undefined; readonly title: string; readonly code: string }) {
  return (
    <header className={css['head']}>
      <div className={css['company']}>
        {company !== undefined && (
          <>
            {logo !== undefined && <img className={css['logo']} src={logo} alt="" />}
            <h2>{text(company, 'LegalName') || text(company, 'Name')}</h2>
            <p>{[text(company, 'Address'), text(company, 'City')].filter((part) => part !== '').join('\n')}</p>
            <p>{[text(company, 'Phone'), text(company, 'Email')].filter((part) => part !== '').join(' · ')}</p>
            {text(company, 'Npwp') !== '' && <p>{t('field.npwp')} {text(company, 'Npwp')}</p>}
          </>
        )}
      </div>
      <div className={css['title']}>
        <h1>{title}</h1>
        <p>{code}</p>
      </div>
    </header>
  )
}

/** Name, address and tax number of a party under a heading. */
export function Party({ heading, name, address, npwp }: { readonly heading: string; readonly name: string; readonly address: WireRecord | undefined; readonly npwp?: string }) {
  return (
    <div>
      <h3>{heading}</h3>
      <p>
        <strong>{name}</strong>
      </p>
      {address !== undefined && <p>{addressOf(address)}</p>}
      {npwp !== undefined && npwp !== '' && <p>{t('field.npwp')} {npwp}</p>}
    </div>
  )
}

/** The address, with city and postal code where it does not name them itself. */
function addressOf(address: WireRecord): string {
  const street = text(address, 'Address')
  const rest = [text(address, 'City'), text(address, 'PostalCode')].filter((part) => part !== '' && !street.includes(part)).join(' ')
  return rest === '' ? street : `${street}\n${rest}`
}
