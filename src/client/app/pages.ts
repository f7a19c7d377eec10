import type { ComponentType } from 'react'
import type { PageName } from '#generated/names.ts'
import type { Screen, ScreenKind } from '#meta/resolved.ts'
import { loadChunk, loadFirstChunk } from './chunks.ts'
import type { PageProps } from './pageProps.ts'

type KindPages = { readonly [K in ScreenKind]: () => Promise<ComponentType<PageProps<Extract<Screen, { kind: K }>>>> }

/** Page of each kind of screen, loaded when first opened. */
const kindPages = {
  list: () => import('../pages/ListPage.tsx').then((module) => module.ListPage),
  form: () => import('../pages/FormPage.tsx').then((module) => module.FormPage),
  detail: () => import('../pages/DetailPage.tsx').then((module) => module.DetailPage),
  approval: () => import('../approval/ApprovalPage.tsx').then((module) => module.ApprovalPage),
  report: () => import('../pages/ReportPage.tsx').then((module) => module.ReportPage),
  dashboard: () => import('../pages/DashboardPage.tsx').then((module) => module.DashboardPage),
  import: () => import('../import/ImportPage.tsx').then((module) => module.ImportPage),
  workbench: () => import('../pages/WorkbenchPage.tsx').then((module) => module.WorkbenchPage),
} satisfies KindPages

/** What a hand-written page gets: path parameters, and the name of the layout if it is the one that prints. */
export interface HandPageProps {
  readonly params: Readonly<Record<string, string>>
  readonly print?: string | undefined
}

export type HandPage = ComponentType<HandPageProps>

const handPages = {
  approvals: () => import('../approval/InboxPage.tsx').then((module) => module.InboxPage),
  delegations: () => import('../approval/DelegationsPage.tsx').then((module) => module.DelegationsPage),
  exports: () => import('../export/ExportsPage.tsx').then((module) => module.ExportsPage),
  'report-schedules': () => import('../schedule/SchedulesPage.tsx').then((module) => module.SchedulesPage),
  studio: () => import('../studio/pages.tsx').then((module) => module.StudioPage),
  'studio-draft': () => import('../studio/pages.tsx').then((module) => module.DraftPage),
  'studio-proposals': () => import('../studio/pages.tsx').then((module) => module.ProposalsPage),
  'report-trial': () => import('../studio/pages.tsx').then((module) => module.TrialPage),
  'import-log': () => import('../import/ImportLogPage.tsx').then((module) => module.ImportLogPage),
  home: () => import('../pages/HomePage.tsx').then((module) => module.HomePage),
  login: () => import('../pages/AlreadySignedIn.tsx').then((module) => module.AlreadySignedIn),
  'error-404': () => import('../pages/NotFoundPage.tsx').then((module) => module.NotFoundPage),
  'error-500': () => import('../pages/ServerErrorPage.tsx').then((module) => module.ServerErrorPage),
  'forgot-password': () => import('../pages/ForgotPasswordPage.tsx').then((module) => module.ForgotPasswordPage),
  'reset-password': () => import('../pages/ResetPasswordPage.tsx').then((module) => module.ResetPasswordPage),
  callback: () => import('../pages/CallbackPage.tsx').then((module) => module.CallbackPage),
  terms: () => import('../pages/LegalPages.tsx').then((module) => module.TermsPage),
  privacy: () => import('../pages/LegalPages.tsx').then((module) => module.PrivacyPage),
  'change-log': () => import('../pages/ChangeLogPage.tsx').then((module) => module.ChangeLogPage),
  version: () => import('../pages/VersionPage.tsx').then((module) => module.VersionPage),
  profile: () => import('../pages/ProfilePage.tsx').then((module) => module.ProfilePage),
  'profile-edit': () => import('../pages/ProfileEditPage.tsx').then((module) => module.ProfileEditPage),
  'change-password': () => import('../pages/ChangePasswordPage.tsx').then((module) => module.ChangePasswordPage),
  'visits-today': () => import('../visits/VisitsTodayPage.tsx').then((module) => module.VisitsTodayPage),
  print: () => import('../print/PrintPage.tsx').then((module) => module.PrintPage),
} satisfies Record<PageName, () => Promise<HandPage>>

const loadedKinds = new Map<ScreenKind, ComponentType<PageProps>>()
const loadedHandPages = new Map<string, HandPage>()

export async function loadKindPage(kind: ScreenKind): Promise<void> {
  if (loadedKinds.has(kind)) return
  // Each page takes the screen of its own kind; the router pairs them by `kind`.
  loadedKinds.set(kind, (await loadFirstChunk<unknown>(kindPages[kind])) as ComponentType<PageProps>)
}

export function kindPage(kind: ScreenKind): ComponentType<PageProps> | undefined {
  return loadedKinds.get(kind)
}

export async function loadHandPage(name: string): Promise<void> {
  if (import.meta.env.DEV && name === 'catalogue') loadedHandPages.set(name, (await import('../studio/CataloguePage.tsx')).CataloguePage)
  if (loadedHandPages.has(name) || !isPageName(name)) return
  loadedHandPages.set(name, await loadChunk(handPages[name]))
}

export function handPage(name: string): HandPage | undefined {
  return loadedHandPages.get(name)
}

function isPageName(name: string): name is PageName {
  return Object.hasOwn(handPages, name)
}
