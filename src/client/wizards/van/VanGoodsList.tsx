import { compare } from '#base/decimal.ts'
import { formatNumber } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import { parseUnsigned } from '../../form/entry.ts'
import { Button } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { firstUnit, leftIn, stepped, type VanGoods, type Wanted } from './vanSale.ts'
import css from './VanSale.module.css'

interface VanGoodsListProps {
  readonly goods: readonly VanGoods[]
  readonly wanted: ReadonlyMap<number, Wanted>
  /** What is wrong with the quantity of an item. */
  readonly problems: ReadonlyMap<number, string>
  readonly onWant: (item: number, wanted: Wanted) => void
}

/** Goods on the van with how many of each are sold: a thumb is enough. */
export function VanGoodsList({ goods, wanted, problems, onWant }: VanGoodsListProps) {
  return (
    <ul className={css['goods']} aria-label={t('ui.van-sale.goods')}>
      {goods.map((one) => (
        <Item key={one.item} goods={one} wanted={wanted.get(one.item) ?? { qty: '0', uom: firstUnit(one) }} problem={problems.get(one.item)} onWant={(next) => onWant(one.item, next)} />
      ))}
    </ul>
  )
}

interface ItemProps {
  readonly goods: VanGoods
  readonly wanted: Wanted
  readonly problem: string | undefined
  readonly onWant: (wanted: Wanted) => void
}

function Item({ goods, wanted, problem, onWant }: ItemProps) {
  const { qty, uom } = wanted
  const most = leftIn(goods, uom)
  const isChosen = compare(qty, '0') > 0
  const other = uom === goods.uom ? goods.baseUom : goods.uom
  const type = (text: string) => {
    const parsed = parseUnsigned(text, 3, true)
    if (parsed.ok) onWant({ uom, qty: parsed.value ?? '0' })
  }
  return (
    <li className={classes(css['item'], isChosen && css['chosen'])}>
      <div className={css['about']}>
        <div className={css['name']}>{goods.name}</div>
        <div className={css['left']}>{t('ui.van-sale.left', { code: goods.code, qty: formatNumber(most), uom })}</div>
        {other !== uom && compare(leftIn(goods, other), '0') > 0 && (
          <Button look="plain" onClick={() => onWant({ qty: '0', uom: other })}>
            {t('ui.van-sale.by', { uom: other })}
          </Button>
        )}
        {problem !== undefined && <p className={css['problem']}>{problem}</p>}
      </div>
      <div className={css['stepper']} role="group" aria-label={goods.name}>
        <button type="button" className={css['step']} aria-label={t('ui.van-sale.less', { item: goods.name })} disabled={!isChosen} onClick={() => onWant(stepped(goods, wanted, -1))}>
          −
        </button>
        <input className={css['count']} inputMode="decimal" aria-label={t('ui.van-sale.qty', { item: goods.name })} value={qty} onFocus={(event) => event.target.select()} onChange={(event) => type(event.target.value)} />
        <button type="button" className={css['step']} aria-label={t('ui.van-sale.more', { item: goods.name })} disabled={compare(qty, most) >= 0} onClick={() => onWant(stepped(goods, wanted, 1))}>
          +
        </button>
      </div>
    </li>
  )
}
