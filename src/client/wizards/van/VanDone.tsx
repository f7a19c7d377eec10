import { formatMoney } from '../../app/format.ts'
import { Link } from '../../app/Link.tsx'
import { t } from '../../app/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { hasGuard } from '../../data/session.ts'
import type { Sold } from './vanSale.ts'
import css from './VanSale.module.css'

/** What has been sold, on paper for the customer, and the way to the next one. */
export function VanDone({ sold, onNext }: { readonly sold: Sold; readonly onNext: () => void }) {
  return (
    <div className={css['done']} role="status">
      <Icon name="check" size={40} />
      <h2>{t('ui.van-sale.sold')}</h2>
      <div className={css['total']}>{formatMoney(sold.Total)}</div>
      {sold.Invoices.map((invoice) => (
        <div key={invoice.ID}>
          {invoice.Code} {hasGuard('invoice-print') && <Link to={`/pages/invoice/${invoice.ID}`}>{t('ui.van-sale.print')}</Link>}
        </div>
      ))}
      <Button look="primary" onClick={onNext}>
        {t('ui.van-sale.next')}
      </Button>
    </div>
  )
}
