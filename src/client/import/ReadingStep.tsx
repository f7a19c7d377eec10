import { useId, useState } from 'react'
import type { ImportBatch, ImportReading } from '#api/import.ts'
import { decimalText } from '#domain/importing/cellValue.ts'
import { dateOrders, delimiters, encodings } from '#domain/importing/fileForm.ts'
import type { ImportScreen, ImportSheet } from '#meta/resolved.ts'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Button } from '../ui/Button.tsx'
import { Field } from '../ui/Field.tsx'
import { classes } from '../ui/classes.ts'
import input from '../ui/input.module.css'
import { putReading, readRows, type BatchAnswer } from './calls.ts'
import css from './Import.module.css'

export type Mapping = readonly (string | null)[]

interface ReadingStepProps {
  readonly batch: ImportBatch
  readonly screen: ImportScreen
  readonly sheet: ImportSheet
  /** Column of the import that each column of the file fills, as chosen so far. */
  readonly mapping: Mapping
  readonly onMapping: (mapping: Mapping) => void
  /** Makes ids of the choices, by place in the file. */
  readonly idOf: (place: number) => string
  readonly onTaken: (answer: BatchAnswer) => boolean
}

/** How the file is understood: its signs, and which of its columns is which. Everything recognised is shown and may be corrected. */
export function ReadingStep({ batch, screen, sheet, mapping, onMapping, idOf, onTaken }: ReadingStepProps) {
  const { Form: form, Heads: heads } = batch
  const [busy, setBusy] = useState(false)
  const sample = useAnswer(`${batch.ID}`, (signal) => readRows(batch.ID, { state: undefined, page: 1, length: 3 }, signal)).value?.rows ?? []
  const isFrozen = !batch.Actions.includes('read')
  const put = async (reading: ImportReading) => {
    setBusy(true)
    const answer = await putReading(batch.ID, reading)
    setBusy(false)
    onTaken(answer)
  }
  const open = sheet.columns.filter((column) => column.required && !mapping.includes(column.name)).map(({ name }) => name)
  return (
    <div className={css['stack']}>
      <fieldset className={css['form']} disabled={isFrozen || busy}>
        <legend>{t('import.form')}</legend>
        {screen.sheets.length > 1 && <Choice label={t('import.form.kind')} value={sheet.id} choices={screen.sheets.map(({ id, title }) => [id, t(title)])} onChange={(id) => void put({ sheet: id })} />}
        {form.kind === 'xlsx' && <Choice label={t('import.form.sheet')} value={form.sheet} choices={form.sheets.map((name) => [name, name])} onChange={(name) => void put({ form: { sheet: name } })} />}
        {form.kind === 'csv' && (
          <>
            <Choice label={t('import.form.encoding')} value={form.encoding} choices={encodings.map((name) => [name, name.toUpperCase()])} onChange={(name) => void put({ form: { encoding: encodings.find((one) => one === name) ?? form.encoding } })} />
            <Choice
              label={t('import.form.delimiter')} value={form.delimiter} choices={delimiters.map((sign) => [sign, sign === '\t' ? t('import.tab') : sign])}
              onChange={(sign) => void put({ form: { delimiter: delimiters.find((one) => one === sign) ?? form.delimiter } })}
            />
          </>
        )}
        <Choice label={t('import.form.decimal')} value={form.decimal} choices={[['.', '1,234.50'], [',', '1.234,50']]} onChange={(sign) => void put({ form: { decimal: sign === ',' ? ',' : '.' } })} />
        <Choice label={t('import.form.date')} value={form.date} choices={dateOrders.map((order) => [order, t(`import.date.${order}`)])} onChange={(order) => void put({ form: { date: dateOrders.find((one) => one === order) ?? form.date } })} />
      </fieldset>
      {batch.Doubt !== null && !isFrozen && (
        <div role="alert" className={css['problem']}>
          <p>{t('import.doubt', { text: batch.Doubt })}</p>
          <div className={css['buttons']}>
            {([',', '.'] as const).map((sign) => (
              <Button key={sign} disabled={busy} onClick={() => void put({ form: { decimal: sign } })}>
                {t('import.doubt-means', { text: batch.Doubt ?? '', number: formatNumber(decimalText(batch.Doubt ?? '', sign) ?? '') })}
              </Button>
            ))}
          </div>
        </div>
      )}
      {heads.length > 0 && open.length > 0 && (
        <p role="alert" className={css['problem']}>
          {t('import.missing', { columns: open.join(', ') })}
        </p>
      )}
      {heads.length > 0 && (
        <div className={css['scroll']} tabIndex={0} role="region" aria-label={t('import.step.columns')}>
          <table className={classes(css['table'], css['mapping'])}>
            <thead>
              <tr>
                <th scope="col">{t('import.in-file')}</th>
                <th scope="col">{t('import.sample')}</th>
                <th scope="col">{t('import.fills')}</th>
              </tr>
            </thead>
            <tbody>
              {heads.map((head, i) => (
                // Heads may repeat; their place tells them apart.
                <tr key={i}>
                  <th scope="row">{head === '' ? t('import.no-head', { n: i + 1 }) : head}</th>
                  <td className={css['muted']}>{sample.map((row) => row.Cells[i] ?? '').filter((cell) => cell !== '').join(' · ').slice(0, 80)}</td>
                  <td>
                    <select
                      id={idOf(i)} className={input['input']} aria-label={t('import.fills-of', { head })} value={mapping[i] ?? ''} disabled={isFrozen || busy}
                      onChange={(event) => {
                        const name = event.target.value === '' ? null : event.target.value
                        onMapping(heads.map((_, j) => (i === j ? name : name !== null && mapping[j] === name ? null : (mapping[j] ?? null))))
                      }}
                    >
                      <option value="">{t('import.nothing')}</option>
                      {sheet.columns.map((column) => (
                        <option key={column.name} value={column.name}>
                          {`${column.name}${column.required ? ' *' : ''} – ${t(column.label)}`}
                        </option>
                      ))}
                    </select>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!isFrozen && heads.length > 0 && <p className={css['hint']}>{t('import.remembered')}</p>}
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly choices: readonly (readonly [value: string, label: string])[]
  readonly onChange: (value: string) => void
}

function Choice({ label, value, choices, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <Field id={id} label={label}>
      <select id={id} className={input['input']} value={value} onChange={(event) => onChange(event.target.value)}>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}
