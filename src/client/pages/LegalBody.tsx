import css from './LegalBody.module.css'

/** A legal text: paragraphs between empty lines; `## ` begins a heading, `- ` an item of a list. Nothing in it is taken for markup. */
export function LegalBody({ text, level = 2 }: { readonly text: string; readonly level?: 2 | 3 }) {
  const Heading = level === 2 ? 'h2' : 'h3'
  return (
    <div className={css['body']}>
      {blocksOf(text).map((block, i) => {
        switch (block.kind) {
          case 'heading':
            return <Heading key={i}>{block.text}</Heading>
          case 'paragraph':
            return <p key={i}>{block.text}</p>
          case 'list':
            return (
              <ul key={i}>
                {block.items.map((item, j) => (
                  <li key={j}>{item}</li>
                ))}
              </ul>
            )
        }
      })}
    </div>
  )
}

type Block = { readonly kind: 'heading' | 'paragraph'; readonly text: string } | { readonly kind: 'list'; readonly items: readonly string[] }

/** The text in blocks; lines of one kind that follow one another belong together. */
export function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = []
  for (const part of text.split(/\n\s*\n/)) {
    let words: string[] = []
    let items: string[] = []
    const close = (): void => {
      if (words.length > 0) blocks.push({ kind: 'paragraph', text: words.join(' ') })
      if (items.length > 0) blocks.push({ kind: 'list', items })
      words = []
      items = []
    }
    for (const line of part.split('\n').map((one) => one.trim())) {
      if (line.startsWith('## ')) {
        close()
        blocks.push({ kind: 'heading', text: line.slice(3) })
      } else if (line.startsWith('- ')) {
        if (words.length > 0) close()
        items.push(line.slice(2))
      } else if (line !== '') {
        if (items.length > 0) close()
        words.push(line)
      }
    }
    close()
  }
  return blocks
}
