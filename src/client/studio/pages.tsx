import { Suspense, type ComponentType } from 'react'
import { lazy } from '../app/lazy.tsx'
import { Skeleton } from '../ui/States.tsx'

/*
 * The pages of the studio behind one small part: what each needs is listed here, not in what every page loads.
 */

type Params = { readonly params: Readonly<Record<string, string>> }

const Desk = lazy(() => import('./StudioPage.tsx').then((module) => ({ default: module.StudioPage })))
const Draft = lazy(() => import('./DraftPage.tsx').then((module) => ({ default: module.DraftPage })))
const Proposals = lazy(() => import('./ProposalsPage.tsx').then((module) => ({ default: module.ProposalsPage })))
const Trial = lazy(() => import('./TrialPage.tsx').then((module) => ({ default: module.TrialPage })))

function waiting(Page: ComponentType<Params>): ComponentType<Params> {
  return function Waiting({ params }: Params) {
    return (
      <Suspense fallback={<Skeleton lines={12} />}>
        <Page params={params} />
      </Suspense>
    )
  }
}

export const StudioPage = waiting(Desk)
export const DraftPage = waiting(Draft)
export const ProposalsPage = waiting(Proposals)
export const TrialPage = waiting(Trial)
