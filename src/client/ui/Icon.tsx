import css from './Icon.module.css'

/**
 * Line icons on a 24 grid, drawn with the colour of the text around them.
 * The menu names them in schemas/menu.json; a name that is not here is drawn as a dot.
 */
const paths = {
  dot: 'M12 12h.01',
  home: 'M4 11l8-7 8 7v9a1 1 0 0 1-1 1h-5v-6h-4v6H5a1 1 0 0 1-1-1z',
  dashboard: 'M4 4h7v8H4zM13 4h7v5h-7zM13 11h7v9h-7zM4 14h7v6H4z',
  cart: 'M3 4h2l2.4 11.2a1 1 0 0 0 1 .8h9.3a1 1 0 0 0 1-.8L20.5 8H6M9 20h.01M18 20h.01',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  approval: 'M9 12.5l2.2 2.2L15.5 10M12 3l7 3v5c0 4.8-3 8.4-7 10-4-1.6-7-5.2-7-10V6z',
  truck: 'M3 6h11v10H3zM14 10h4l3 3v3h-7M7 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17.5 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  receipt: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  wallet: 'M4 7h15a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zM4 7V6a1 1 0 0 1 1-1h11v2M16 13h.01',
  chart: 'M4 20V4M4 20h16M8 16v-4M12.5 16V8M17 16v-6',
  database: 'M5 6c0-1.5 3-2.5 7-2.5s7 1 7 2.5-3 2.5-7 2.5S5 7.5 5 6zM5 6v12c0 1.5 3 2.5 7 2.5s7-1 7-2.5V6M5 12c0 1.5 3 2.5 7 2.5s7-1 7-2.5',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M16 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM8 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20a2 2 0 0 0 4 0',
  star: 'M12 4l2.4 5 5.6.800-4 3.9 1 5.5-5-2.7-5 2.7 1-5.5-4-3.9 5.6-.8z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5',
  filter: 'M4 5h16l-6 7.5V19l-4-2v-4.5z',
  columns: 'M4 5h16v14H4zM9.5 5v14M15 5v14',
  undo: 'M9 7H4V2M4 7c2-2.6 4.6-4 8-4a8.500 8.500 0 0 1 0 17H8',
  redo: 'M15 7h5V2M20 7c-2-2.6-4.6-4-8-4a8.500 8.500 0 0 0 0 17h4',
  refresh: 'M20 11a8 8 0 1 0-1 5M20 5v6h-6',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  up: 'M12 19V6M6 11.5L12 5.5l6 6',
  down: 'M12 5v13M6 12.5l6 6 6-6',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  first: 'M17 5l-7 7 7 7M7 5v14',
  last: 'M7 5l7 7-7 7M17 5v14',
  chevron: 'M6 9.5l6 6 6-6',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  menu: 'M4 7h16M4 12h16M4 17h16',
  collapse: 'M4 5h16v14H4zM9 5v14M15.5 9.5L13 12l2.5 2.5',
  expand: 'M4 5h16v14H4zM9 5v14M13 9.5l2.5 2.5-2.5 2.5',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6L7 7M17 17l1.4 1.4M5.6 18.4L7 17M17 7l1.4-1.4',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5z',
  half: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  globe: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c2.5 2.5 3.8 5.5 3.8 9s-1.3 6.5-3.8 9c-2.5-2.5-3.8-5.5-3.8-9S9.5 5.5 12 3z',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM5 20c.8-3.5 3.5-5.5 7-5.5s6.2 2 7 5.5',
  logout: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
  print: 'M7 9V4h10v5M7 17H4v-6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v6h-3M7 14h10v6H7z',
  edit: 'M4 20l1-4L16 5l3 3L8 19zM14 7l3 3',
  clip: 'M19 11.5l-7.200 7.200a4.500 4.500 0 0 1-6.400-6.400l7.700-7.700a3 3 0 0 1 4.300 4.300l-7.600 7.600a1.500 1.500 0 0 1-2.200-2.200l6.900-6.900',
  download: 'M12 4v11M7 10.500l5 5 5-5M5 20h14',
  file: 'M6 3h8l5 5v13H6zM14 3v5h5',
  image: 'M4 5h16v14H4zM4 16l4.500-4.500 3.500 3.500 3-3 5 5M15.500 9h.01',
  comment: 'M4 5h16v11H10l-4.500 4v-4H4zM8 9.300h8M8 12.300h5',
  trash: 'M5 7h14M10 7V4.500h4V7M7 7l.800 13h8.400L17 7M10.500 10.500v6M13.500 10.500v6',
  copy: 'M8 8h11v12H8zM5 16V4h11',
  pinLeft: 'M5 4v16M9 12h11M13 8l-4 4 4 4',
  pinRight: 'M19 4v16M4 12h11M11 8l4 4-4 4',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  group: 'M4 5h16M8 10h12M8 14h12M4 19h16',
  save: 'M5 4h11l3 3v13H5zM8 4v5h7V4M8 20v-6h8v6',
  external: 'M14 4h6v6M20 4l-9 9M18 14v5H5V6h5',
  calendar: 'M4 6h16v14H4zM4 10h16M8 4v4M16 4v4',
  clock: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 8v4.5l3 2',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.2h.01',
  info: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 11v5M12 8h.01',
  inbox: 'M4 13l2.5-8h11l2.5 8v6H4zM4 13h4.5l1.5 2.5h4l1.5-2.5H20',
  density: 'M4 5h16M4 9.7h16M4 14.3h16M4 19h16',
  keyboard: 'M3 7h18v10H3zM7 10.5h.01M11 10.5h.01M15 10.5h.01M18 10.5h.01M8 14h8',
  eye: 'M3 12c2.5-4 5.5-6 9-6s6.5 2 9 6c-2.5 4-5.5 6-9 6s-6.5-2-9-6zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
} as const

export type IconName = keyof typeof paths

export function isIcon(name: string): name is IconName {
  return Object.hasOwn(paths, name)
}

/** Decoration only: say the meaning in text or in the label of the button around it. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg className={css['icon']} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  )
}
