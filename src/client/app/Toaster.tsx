import { createRoot, type Root } from 'react-dom/client'
import { toast as show, ToastContainer } from 'react-toastify/unstyled'
import 'react-toastify/ReactToastify.css'
import type { Toast } from './toasts.ts'
import './Toaster.css'

let layer: HTMLElement | undefined

export function mountToaster(container: HTMLElement): Root {
  layer = container
  container.className = 'toasts'
  container.popover = 'manual'
  const root = createRoot(container)
  root.render(<ToastContainer position="top-right" hideProgressBar closeOnClick newestOnTop limit={4} role="status" />)
  return root
}

export function raise(toast: Toast): void {
  const content = (
    <div>
      {toast.title !== undefined && <strong>{toast.title}</strong>}
      <div>{toast.text}</div>
    </div>
  )
  toTop()
  // A warning that still stands is not said again beside itself.
  show(content, { type: toast.tone, autoClose: toast.lasts ?? 3500, ...(toast.isAside === true ? { position: 'bottom-center' } : {}), ...(toast.tone === 'warning' ? { toastId: `${toast.title ?? ''} ${toast.text}` } : {}) })
}

/** Over a panel or dialog that is open: those lie above everything but what was opened after them. */
function toTop(): void {
  if (layer?.matches(':popover-open') === true) layer.hidePopover()
  layer?.showPopover()
}
