/** The mark of the product, `size` pixels wide and high; its name stands beside it. Drawn in place: an image would be a document of its own. */
export function Logo({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#7367F0" />
      <path d="M7 21c4 0 4-10 9-10s5 10 9 10" fill="none" stroke="#fff" strokeWidth="3.2" strokeLinecap="round" />
    </svg>
  )
}
