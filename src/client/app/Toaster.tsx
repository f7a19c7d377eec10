import { createRoot, type Root } from 'react-dom/client'
import { toast as show, ToastContainer } from 'react-toastify/unstyled'
import 'react-toastify/ReactToastify.css'
import type { Toast } from './toasts.ts'
import './Toaster.css'

export function mountToaster(container: HTMLElement): Root {
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
  show(content, { type: toast.tone, autoClose: toast.lasts ?? 3500 })
}
