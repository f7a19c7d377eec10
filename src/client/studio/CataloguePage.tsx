import { Suspense, use, useMemo, type ReactNode } from 'react'
import { pages, screens, texts, validations } from 'virtual:catalogue'
import { useLocation } from 'react-router-dom'
import { Link } from '../app/Link.tsx'
import { addTexts, t } from '../app/messages.ts'
import { kindPage, loadKindPage } from '../app/pages.ts'
import { loadedScreen, provideScreens } from '../app/screens.ts'
import { loadSession } from '../data/session.ts'
import { loadViews } from '../data/views.ts'
import { provideValidation } from '../form/useForm.ts'
import { Skeleton } from '../ui/States.tsx'
import { SamplePrint } from './SamplePrint.tsx'
import { SampleWizard } from './SampleWizard.tsx'
import css from './CataloguePage.module.css'

/**
 * Development: a page for each kind of screen, drawn by the renderer itself over sample schemas with everything the kind can do. The pictures
 * and the accessibility tests look at exactly these pages.
 */
export function CataloguePage() {
  const { pathname, search } = useLocation()
  const name = pathname.split('/')[3] ?? ''
  const waiting = prepared(pages[name] ?? '')
  return (
    <div className={css['frame']}>
      <nav className={css['nav']} aria-label="Catalogue">
        {[...Object.entries(pages), ...Object.keys(handWritten).map((page) => [page, `sample.${page}`] as const)].map(([page, screen]) => (
          <Link key={page} to={`/studio/catalogue/${page}`} aria-current={page === name ? 'page' : undefined}>
            {t(`screen.${screen}`)}
          </Link>
        ))}
      </nav>
      <main className={css['main']}>
        <Suspense fallback={<Skeleton lines={8} />}>
          <Sample key={name} name={name} search={search} waiting={waiting} />
        </Suspense>
      </main>
    </div>
  )
}

/** Hosts of what is written by hand, with something in them. */
const handWritten: Readonly<Record<string, () => ReactNode>> = { wizard: SampleWizard, print: SamplePrint }

const ready = new Map<string, Promise<void>>()

function prepared(screenId: string): Promise<void> {
  const known = ready.get(screenId)
  if (known !== undefined) return known
  addTexts(texts)
  provideScreens(screens)
  for (const [form, load] of Object.entries(validations)) provideValidation(form, load())
  const kind = screens[screenId]?.screen.kind
  const made = Promise.all([loadSession(), loadViews(), kind === undefined ? undefined : loadKindPage(kind)]).then(() => undefined)
  ready.set(screenId, made)
  return made
}

/** A form and a detail show the first sample unless the address names another. */
const firstRecord: Readonly<Record<string, string>> = { form: '4', 'line-grid': '4', detail: '1' }

function Sample({ name, search, waiting }: { readonly name: string; readonly search: string; readonly waiting: Promise<void> }) {
  const screenId = pages[name] ?? ''
  use(waiting)
  const Hand = handWritten[name]
  const record = firstRecord[name]
  const params = useMemo(() => ({ ...(record === undefined || search.includes('copy=') ? {} : { id: record }), ...Object.fromEntries(new URLSearchParams(search)) }), [record, search])
  if (Hand !== undefined) return <Hand />
  const module = loadedScreen(screenId)
  const Page = module === undefined ? undefined : kindPage(module.screen.kind)
  if (module === undefined || Page === undefined) return <h1>Catalogue</h1>
  return <Page screen={module.screen} module={module} params={params} />
}
