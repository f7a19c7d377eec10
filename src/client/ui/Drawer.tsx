import type { ReactNode } from 'react'
import { Dialog } from './Dialog.tsx'

/** A panel over the right side of the page. Mounted means open. */
export function Drawer(props: { readonly title: string; readonly children: ReactNode; readonly footer?: ReactNode; readonly onClose: () => void }) {
  return <Dialog {...props} shape="side" />
}
