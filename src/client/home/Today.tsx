import { mostCounted, type HomeCounts } from '#api/home.ts'
import { formatNumber } from '../app/format.ts'
import { Link } from '../app/Link.tsx'
import { inWords, t } from '../app/messages.ts'
import { useAnswer, type Asked } from '../data/useAnswer.ts'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { Icon } from '../ui/Icon.tsx'
import { Skeleton } from '../ui/States.tsx'
import { readHomeCounts } from './calls.ts'
import css from './Today.module.css'

/** What needs the user today: what a new company still lacks, then the numbers his lists want seen. */
export function Today() {
  const asked = useAnswer('home counts', readHomeCounts)
  const steps = asked.value?.steps ?? []
  return (
    <>
      {steps.length > 0 && <FirstSteps steps={steps} />}
      <Numbers asked={asked} />
    </>
  )
}

/** The lists a company fills before its first order, ticked once there is something in them. */
function FirstSteps({ steps }: Pick<HomeCounts, 'steps'>) {
  return (
    <section aria-labelledby="home-steps">
      <h2 id="home-steps" className={css['title']}>
        {t('ui.home.steps')}
      </h2>
      <p className={css['hint']}>{t('ui.home.steps-hint')}</p>
      <ol className={css['steps']}>
        {steps.map(({ Label, Url, IsDone }) => (
          <li key={Url} className={IsDone ? css['done'] : undefined}>
            <Icon name={IsDone ? 'check' : 'right'} />
            <Link to={Url}>{t(Label)}</Link>
            {IsDone && <span className="visually-hidden">{t('ui.home.step-done')}</span>}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The numbers lists want seen, each the way to its rows. Zeros are no news. */
function Numbers({ asked: { value, problem, reload } }: { readonly asked: Asked<HomeCounts> }) {
  const counts = value?.records.filter((record) => record.Count > 0)
  // Whose lists count nothing has no use for an empty frame.
  if (value?.records.length === 0) return null
  return (
    <section aria-labelledby="home-today">
      <h2 id="home-today" className={css['title']}>
        {t('ui.home.today')}
      </h2>
      {counts === undefined ? (
        problem === undefined ? (
          <Skeleton lines={2} />
        ) : (
          <p className={css['none']} role="alert">
            {inWords(problem)}
            <Button look="plain" icon="refresh" onClick={reload}>
              {t('ui.retry')}
            </Button>
          </p>
        )
      ) : counts.length === 0 ? (
        <p className={css['none']}>
          <Icon name="check" /> {t('ui.home.all-done')}
        </p>
      ) : (
        <ul className={css['tiles']}>
          {counts.map(({ Label, Count, Tone, Url }) => (
            <li key={Label}>
              <Link to={Url} className={classes(css['tile'], css[Tone])}>
                <span className={css['count']}>{Count > mostCounted ? `${formatNumber(mostCounted)}+` : formatNumber(Count)}</span>
                <span>{t(Label)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
